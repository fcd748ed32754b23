"""Coordinates of the elements of a cable from its shapes, against a slow twin."""

from typing import Any

import numpy as np
import pytest

from reference.reduced import directions_of
from taut import library
from taut.analyses.reduction.fields import mean_frame
from taut.build import build
from taut.build.reduction.reduced import CableShapes
from taut.integrate.reduced.expansion import Chain
from taut.model.enums import JointKind


def chain_coordinates(full, cable, shapes, z):
    """Coordinates of the elements of a cable, by their place in q, at coordinates of the shapes [time, shape]."""
    fields = shapes.fields(z)
    t, nodes, found = directions_of(shapes, fields), full.tables.nodes, {}
    R = np.broadcast_to(np.eye(3), (len(z), 3, 3))
    for k, stretch in enumerate(full.names.cables[cable]):
        bend: Any = nodes[nodes[stretch].parent]
        R = R @ bend.rotation.reshape(3, 3)
        angles, R = bent(JointKind(int(bend.kind)), R, np.einsum("tji,tj->ti", R, t[:, k]))
        for j, angle in enumerate(angles):
            found[int(bend.coordinate) + j] = angle
        found[int(nodes[stretch].coordinate)] = fields[:, 2, k]
    return found


def bent(kind, R, d):
    """Angles of a bend that turns the frames' z to directions d [time, 3], and the turned frames."""
    x, y, z = d.T
    if kind == JointKind.REVOLUTE:
        angle = np.arctan2(-x, z)
        return [angle], R @ turn(1, -angle)
    if kind == JointKind.BEND_XY:
        first, second = np.arctan2(-y, z), np.arctan2(x, np.hypot(y, z))
        return [first, second], R @ turn(0, first) @ turn(1, second)
    first, second = np.arctan2(x, z), np.arctan2(-y, np.hypot(x, z))
    return [first, second], R @ turn(1, first) @ turn(0, second)


def turn(axis, angle):
    """Rotations about x (0) or y (1) [time, 3, 3]."""
    c, s = np.cos(angle), np.sin(angle)
    R = np.zeros((len(angle), 3, 3))
    i, j = (1, 2) if axis == 0 else (2, 0)
    R[:, axis, axis] = 1.0
    R[:, i, i], R[:, j, j], R[:, j, i], R[:, i, j] = c, c, s, -s
    return R


@pytest.mark.parametrize("name", ["tempel-planar", "mamidi-pick-and-place"])
def test_chain_of_a_reduced_cable(name):
    scenario = library.load(name, ["defaults.cable.elements=5"])
    model = build(scenario)
    cable = next(iter(model.names.cables))
    rng = np.random.default_rng(6)
    mean, shapes = 0.3 * rng.normal(size=(3, 5)), 0.3 * rng.normal(size=(3, 4, 5))
    mean[2], shapes[:2, 3:], shapes[2, :3] = 0.5, 0.0, 0.0
    if scenario.planar:
        mean[1], shapes[1] = 0.0, 0.0
    frame = mean_frame(np.array([[0.2, 0.0 if scenario.planar else 0.4, -1.0]]))
    made = CableShapes(frame, mean, shapes, 3, 5, not scenario.planar)
    z = rng.normal(size=(4, 4))
    twin, chain = chain_coordinates(model, cable, made, z), Chain.of(model, cable)
    assert set(chain.places) == set(twin)
    found = chain.coordinates(made, z)
    for k, place in enumerate(chain.places):
        assert found[:, k] == pytest.approx(twin[place], abs=1e-12)
