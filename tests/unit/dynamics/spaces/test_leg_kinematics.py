"""Closed-form legs end where the platform is, on both sides of the base and around full turns."""

import numpy as np
import pytest

from manipulators import manipulator, moving_state
from taut.analyses.spaces.space import new_space
from taut.dynamics.residual import place
from taut.dynamics.spaces.leg_kinematics import place_legs

pytestmark = pytest.mark.nojit


@pytest.mark.parametrize("name", ["stewart-free-fall", "hexapod"])
@pytest.mark.parametrize("height", [1.3, 0.4, -0.7])
def test_legs_close_their_loops(name, height):
    model = manipulator(name)
    data = moving_state(model)
    space = new_space(model, "extended-to-task", data=data)
    assert len(space.reduced.legs.rest) == 6
    data.q[2] = height
    place_legs(model.tables, data, space.reduced.legs)
    assert place(model.tables, data) < 1e-14


def test_other_branch_and_full_turns_are_kept():
    model = manipulator("stewart-free-fall")
    data = moving_state(model)
    legs = new_space(model, "extended-to-task", data=data).reduced.legs
    k = int(model.tables.nodes[legs.nodes[0, 0]].coordinate)
    phi, psi = data.q[k : k + 2]
    data.q[k : k + 2] = phi + np.pi, np.pi - psi
    data.q[k] += 4.0 * np.pi
    place_legs(model.tables, data, legs)
    assert data.q[k] == pytest.approx(phi + 5.0 * np.pi, abs=1e-12)
    assert data.q[k + 1] == pytest.approx(np.pi - psi, abs=1e-12)
