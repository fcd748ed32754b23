"""Motion in reduced spaces: order of the method, agreement, and the end at a singular pose."""

import numpy as np
import pytest

from manipulators import manipulator
from taut.analyses.spaces.motion import integrate
from taut.analyses.spaces.space import new_space
from taut.analyses.spaces.table import compare, table_lines

TIMES = np.linspace(0.0, 0.2, 5)


def test_error_falls_with_the_tolerance():
    model = manipulator("stewart-free-fall")
    exact, loose, tight = (integrate(new_space(model, "task"), TIMES, tol).q[:, 2] for tol in (1e-12, 1e-5, 1e-8))
    assert np.abs(tight - exact).max() < 1e-7
    assert np.abs(tight - exact).max() <= np.abs(loose - exact).max()


@pytest.mark.parametrize("name", ["six-rss-free-fall", "delta", "planar-4rrr"])
def test_spaces_agree_and_keep_the_energy(name):
    model = manipulator(name)
    motions = [
        integrate(new_space(model, space), TIMES, 5e-12)
        for space in ("extended-to-task", "extended-to-actuator", "extended")
    ]
    for motion in motions:
        assert motion.q == pytest.approx(motions[0].q, abs=1e-8)
        assert np.abs(motion.energy - motion.energy[0]).max() < 1e-10 * (1.0 + abs(motion.energy[0]))
        assert np.all(motion.errors.max(axis=0) < [1e-12, 1e-11, 1e-9])


def test_table_has_a_row_for_each_space():
    rows = compare(manipulator("planar-3rrr"), repeats=1)
    assert [row["space"] for row in rows][:2] == ["extended", "configuration"]
    assert len(table_lines(rows)) >= 7
