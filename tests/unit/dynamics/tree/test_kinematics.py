import numpy as np
import pytest

from compare import relative_error
from reference.dynamics import centre_velocities
from reference.frames import walk

pytestmark = pytest.mark.nojit


def test_placements(machine):
    frames, motions = walk(*machine.position())
    data = machine.data
    assert relative_error(data.nodes.x, np.array([T[:3, 3] for T in frames])) < 1e-13
    assert relative_error(data.nodes.R.reshape(-1, 3, 3), np.array([T[:3, :3] for T in frames])) < 1e-13
    assert relative_error(data.columns.s, np.array([motion.axis for motion in motions])) < 1e-13


def test_velocities(machine):
    nodes, data = machine.model.tables.nodes, machine.data
    centres = np.einsum("nij,nj->ni", data.nodes.R.reshape(-1, 3, 3), nodes.com)
    found = np.hstack([data.nodes.v + np.cross(data.nodes.w, centres), data.nodes.w])
    assert relative_error(found, centre_velocities(*machine.state())) < 1e-13
