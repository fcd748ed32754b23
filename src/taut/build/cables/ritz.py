"""Ritz cables: a node of many coordinates each; lateral, torsional and one-sided vertical rows hold the body to it."""

from typing import Any

import numpy as np

from taut.build.cables.begin import Begin
from taut.build.cables.ritz_integrals import shape_numbers
from taut.build.cables.ritz_shapes import ReducedRitz, RitzShapes
from taut.build.cables.ritz_tables import RitzSpec
from taut.build.cables.winches import ratio_of, winch_of
from taut.build.context import Context
from taut.model.enums import ClosureKind
from taut.scenario.cables.ritz import CableRitz

ORIGIN = (0.0, 0.0, 0.0)
STEEPEST = 0.2  # largest lateral distance of the anchor relative to the length: lateral fields assume small slopes
ACROSS, ALONG = (True, True, False), (False, False, True)
UPRIGHT = 1e-9


def add_ritz(context: Context, cable: CableRitz, path: str, begin: Begin) -> None:
    """One node from the exit to the anchor, and its closures."""
    check_place(context, cable, path, begin)
    spec = ritz_spec(context, cable, path, begin)
    position = start_coordinates(spec, begin)
    shapes = context.shapes.get(cable.name)
    if isinstance(shapes, RitzShapes):
        check_modes(context, cable, path, shapes)
        spec, position = shapes.of(spec), list(np.array(position) @ shapes.matrix())
        context.reduced[cable.name] = ReducedRitz(shapes)
    node = context.tree.add_ritz(cable.name, spec, position)
    context.tree.cables[cable.name] = (node,)
    body, anchor = context.handles[cable.body], cable.anchor
    cut = context.switch("cut", cable.name)
    is_turned = cable.turn_stiffness is not None
    if spec.lateral or is_turned:
        directions = ACROSS if spec.lateral else (False, False, False)
        kind = ClosureKind.POINT if not is_turned else ClosureKind.TURN if spec.is_linear else ClosureKind.UNIVERSAL
        R_body = context.placement(cable.body)[0]
        # one axis row prevents torsion: the cable's x stays perpendicular to the body axis that is along world y at the
        # start
        axes = (np.eye(3), np.roll(R_body, -1, axis=0))
        context.tree.add_closure(f"{cable.name}.anchor", kind, (node, body), (ORIGIN, anchor), axes=axes,
                                 directions=directions, switch=cut)  # fmt: skip
    context.tree.add_closure(f"{cable.name}.pull", ClosureKind.POINT, (body, node), (anchor, ORIGIN), directions=ALONG,
                             switch=cut, restitution=cable.restitution)  # fmt: skip


def check_modes(context: Context, cable: CableRitz, path: str, shapes: RitzShapes) -> None:
    """Shapes are sums of as many modes as the cable has."""
    if (len(shapes.axial), len(shapes.lateral)) != (cable.modes, cable.lateral_count()):
        message = f"the reduced model has {len(shapes.axial)} modes along {cable.name} and {len(shapes.lateral)} across"
        raise context.scenario.error(f"{path}.modes", message, value=cable.modes)


def check_place(context: Context, cable: CableRitz, path: str, begin: Begin) -> None:
    """A ritz cable hangs down from the world, nearly vertically."""
    scenario = context.scenario
    if scenario.planar:
        raise scenario.error(f"{path}.kind", "a ritz cable is no part of a planar machine", value="ritz",
                             remedy="use kind: mrfe, or leave planar out")  # fmt: skip
    gravity = np.array(scenario.gravity)
    if not gravity[2] < 0.0 or np.abs(gravity[:2]).max() > UPRIGHT * abs(gravity[2]):
        raise scenario.error("gravity", "must point down (0, 0, -g) for ritz cables", value=scenario.gravity)
    side = float(np.hypot(*begin.chord[:2]))
    if begin.chord[2] >= 0.0 or side > STEEPEST * abs(begin.chord[2]):
        message = (
            f"lies {side:.3g} m beside and {-begin.chord[2]:.3g} m below the exit: a ritz cable hangs almost vertically"
        )
        raise scenario.error(f"{path}.anchor", message, value=cable.anchor, remedy="use kind: mrfe, or move the exit")
    winch = winch_of(context, cable)
    if winch is not None and winch.drum is not None:
        raise scenario.error(f"{path}.winch", "a ritz cable needs a winch that prescribes its length, not a drum",
                             value=cable.winch)  # fmt: skip


def ritz_spec(context: Context, cable: CableRitz, path: str, begin: Begin) -> RitzSpec:
    """The cable in plain numbers."""
    body = context.scenario.all_bodies().get(cable.body)
    feed = context.real_signal(ratio_of(context, cable, path, begin.length)) if winch_of(context, cable) else -1
    moves = cable.excitation
    tension = cable.reference_tension
    return RitzSpec(
        modes=cable.modes,
        lateral=cable.lateral_count(),
        has_torsion=cable.turn_stiffness is not None,
        is_actual=cable.lateral_tension == "actual",
        is_carried=moves.inertia == "consistent",
        is_linear=body is not None and body.rotations == "small",
        feed=feed,
        signal=(context.signal(moves.x), context.signal(moves.y), context.signal(moves.z)),
        start=cable.exit,
        length=begin.length,
        line_density=cable.mass_per_length,
        turn_inertia=cable.turn_inertia or 0.0,
        axial_stiffness=cable.axial_stiffness,
        turn_stiffness=cable.turn_stiffness or 0.0,
        coupling=cable.coupling,
        axial_damping=cable.axial_damping,
        lateral_damping=cable.lateral_damping,
        turn_damping=cable.turn_damping,
        tension=weight_share(context, cable) if tension is None else tension,
    )


def weight_share(context: Context, cable: CableRitz) -> float:
    """Tension of the cable when its body hangs on ritz cables alone: the smallest that balance weight and moments."""
    bodies = context.scenario.all_bodies()
    if cable.body not in bodies:
        return 0.0
    mass, com, _ = bodies[cable.body].mass_properties()
    others = [other for other in context.scenario.cables if other.kind == "ritz" and other.body == cable.body]
    points = np.array([context.to_world(other.body, other.anchor) for other in others])
    centre = context.to_world(cable.body, com)
    arms = points[:, :2] - centre[:2]
    weight = -mass * context.scenario.gravity[2]
    rows = np.vstack([np.ones(len(others)), *arms.T])
    tensions: Any = np.linalg.lstsq(rows, np.array([weight, 0.0, 0.0]), rcond=None)[0]
    return max(float(tensions[others.index(cable)]), 0.0)


def start_coordinates(spec: RitzSpec, begin: Begin) -> list[float]:
    """Modal coordinates of a straight line to the anchor, as far as the fields can represent it."""
    position = [0.0] * len(spec.rotations())
    k, s = shape_numbers(spec.lateral)
    share = s / (np.sqrt(2.0) * k**2 * np.sum(1.0 / k**2)) if spec.lateral else k
    first = spec.modes * (2 if spec.has_torsion else 1)
    for axis in range(2):
        for j in range(spec.lateral):
            position[first + axis * spec.lateral + j] = float(begin.chord[axis] * share[j])
    return position
