"""The tree of bodies: no circles, and mass wherever something can move."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.model.joints import KINDS, axis_of, moves_of
from taut.scenario.errors import Problem
from taut.scenario.records.body import Body
from taut.scenario.records.joint import Joint
from taut.scenario.start_pose import joint_axes

SINGULAR = 1e-12
LIGHTEST = 1e-30


def find_tree_problems(scenario: Any) -> Iterator[Problem]:
    """Yield circles of joints and bodies whose motion their mass does not determine."""
    bodies = scenario.all_bodies()
    circles = list(_circles(scenario, bodies))
    yield from circles
    if not circles:
        carried = {body.joint.parent for body in bodies.values()}
        for name, body in bodies.items():
            yield from _mass(scenario, name, body, bodies)
            if name not in carried and not body.massless:
                yield from _inertia(scenario, name, body)


def _circles(scenario: Any, bodies: dict[str, Body]) -> Iterator[Problem]:
    cleared: set[str] = {"world"}
    for name in bodies:
        chain = [name]
        while chain[-1] not in cleared and chain[-1] not in chain[:-1]:
            chain.append(bodies[chain[-1]].joint.parent)
        if chain[-1] not in cleared:
            text = " -> ".join(chain[chain.index(chain[-1]) :])
            remedy = "one of these bodies must hang on the world; close the loop with closures"
            path = f"{scenario.body_path(name)}.joint.parent"
            yield scenario.problem(path, f"parents form a circle: {text}", value=chain[1], remedy=remedy)
        cleared.update(chain)


def _mass(scenario: Any, name: str, body: Body, bodies: dict[str, Body]) -> Iterator[Problem]:
    mass = body.mass_properties()[0]
    path = scenario.body_path(name)
    if not body.massless and not LIGHTEST <= mass <= 1 / LIGHTEST:
        yield scenario.problem(
            path, f"its mass comes out as {mass:g} kg", remedy="check the density and the size of the shape"
        )
    if body.massless and body.joint.kind != "fixed" and not _carries_mass(name, bodies):
        remedy = "give it a mass, or fix it to its parent"
        yield scenario.problem(
            f"{path}.massless", "a massless body that moves must carry a body with mass", remedy=remedy
        )


def _carries_mass(name: str, bodies: dict[str, Body]) -> bool:
    """Return whether a body further out in the tree has mass."""
    found = {name}
    # bodies may be listed in any order, so repeat until no further one is connected
    while True:
        more = {child for child, body in bodies.items() if body.joint.parent in found and child not in found}
        if any(not bodies[child].massless for child in more):
            return True
        if not more:
            return False
        found |= more


def _inertia(scenario: Any, name: str, body: Body) -> Iterator[Problem]:
    """Yield a problem when an outermost body can turn about an axis without inertia."""
    mass, com, inertia = body.mass_properties()
    if body.joint.kind != "free":
        inertia = inertia + mass * (com @ com * np.eye(3) - np.outer(com, com))
    axes = _turning_axes(body.joint)
    if not len(axes):
        return
    across = axes @ inertia @ axes.T
    if np.linalg.eigvalsh(across).min() <= SINGULAR * max(np.abs(inertia).max(), LIGHTEST):
        remedy = "give inertia or a shape with thickness; for a point mass use joint: {kind: point}"
        path = scenario.body_path(name)
        yield scenario.problem(
            path, f"has no inertia about an axis its {body.joint.kind} joint lets it turn about", remedy=remedy
        )


def _turning_axes(joint: Joint) -> np.ndarray:
    """Return the unit axes the joint can turn about, in the joint frame, shape [n, 3]."""
    if joint.ball() is not None:
        return np.eye(3)
    moves = moves_of(KINDS[joint.kind])
    return np.array([axis_of(move, *joint_axes(joint)) for move in moves if move.how == "turn"]).reshape(-1, 3)
