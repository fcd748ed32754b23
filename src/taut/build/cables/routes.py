"""Ropes over guides: from a cable laid over them at the start to the routes of its pieces.

A rope is one piece with one tension. Where it runs over a wheel with inertia it sticks to it: the wheel is a node that
turns, and the rope is cut there into two pieces, which both end at the middle of the arc, at a mark on the wheel. It is
cut likewise where it may slip on a guide; what slips is a coordinate that both pieces share.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taut.build.cables.begin import Begin
from taut.build.cables.route_tables import GuideSpec, SheaveSpec, Slip, straight
from taut.build.cables.rubs import Rub, add_slip, cuts_of, friction_numbers
from taut.build.context import Context
from taut.build.tree import ColumnSpec, RigidBody
from taut.model.enums import CapstanKind, JointKind
from taut.model.routes import SheaveKind
from taut.scenario.cables.guide import Sheave
from taut.scenario.cables.ways import Laid, WayError, lay
from taut.scenario.start_pose import unit


@dataclass(frozen=True)
class Piece:
    """A part of a rope with one tension."""

    name: str
    guides: tuple[GuideSpec, ...]
    share: float  # length of the piece at the start, relative to that of the whole rope
    slips: tuple[Slip, ...] = ()  # rope that slips in or out at the ends of the piece
    rubs: tuple[Rub, ...] = ()  # friction at the end of the piece


def laid_way(context: Context, cable: Any, path: str, leave: np.ndarray) -> Laid:
    """The cable laid over its guides at the start."""
    poses = {name: context.placements[handle] for name, handle in context.handles.items()
             if handle in context.placements}  # fmt: skip
    poses["world"] = np.eye(3), np.zeros(3)
    try:
        return lay(cable, leave, poses)
    except WayError as error:
        raise context.scenario.error(f"{path}.{error.key}", error.message, remedy=error.remedy) from None


def pieces_of(context: Context, cable: Any, begin: Begin) -> list[Piece]:
    """Pieces of a cable, from its exit to its anchor."""
    anchor = context.handles[cable.body], cable.anchor
    if begin.laid is None:
        return [Piece(cable.name, straight((begin.node, anchor[0]), (begin.point, anchor[1])), 1.0)]
    laid, guides = begin.laid, [first_guide(context, cable, begin)]
    found: list[tuple[list[GuideSpec], float, list[Slip], list[Rub]]] = []
    length, slips = float(laid.trace.spans[0, 0]) + arc(laid, 0), []
    cuts = cuts_of(cable)
    for k, guide in enumerate(cable.via, 1):
        if k in cuts:
            end, rubs = cut_at(context, cable, k, laid, cuts[k])
            slip = [rub.node for rub in rubs if rub.kind == CapstanKind.SLIP]
            found.append(
                ([*guides, end], length + 0.5 * arc(laid, k), [*slips, *(Slip(node, -1.0) for node in slip)], rubs)
            )
            guides, length, slips = [end], -0.5 * arc(laid, k), [Slip(node, 1.0) for node in slip]
        else:
            guides.append(guide_spec(context, guide, laid, k))
        length += arc(laid, k) + float(laid.trace.spans[k, 0])
    found.append(([*guides, GuideSpec(*anchor)], length, slips, []))
    names = [cable.name] if len(found) == 1 else [f"{cable.name}.{k + 1}" for k in range(len(found))]
    return [Piece(name, tuple(rows), part / laid.length, tuple(slips), tuple(rubs))
            for name, (rows, part, slips, rubs) in zip(names, found, strict=True)]  # fmt: skip


def cut_at(context: Context, cable: Any, k: int, laid: Laid, count: int) -> tuple[GuideSpec, list[Rub]]:
    """Where a rope is cut: the end of the piece that arrives, and the friction there."""
    guide, rubs = cable.via[k - 1], []
    has_wheel = isinstance(guide, Sheave) and guide.inertia > 0.0
    if has_wheel:
        end = add_wheel(context, cable, k, guide, laid)
        if guide.bearing is not None and guide.bearing.friction > 0.0:
            arm = guide.bearing.friction * guide.bearing.radius
            rubs.append(Rub(CapstanKind.BEARING, end.node, 1, arm, guide.bearing.mass))
    else:
        end = bar_end(context, guide, laid, k)
    if guide.rubs:
        rubs.append(Rub(CapstanKind.SLIP, add_slip(context, cable, k, laid), count))
    return end, rubs


def bar_end(context: Context, guide: Any, laid: Laid, k: int) -> GuideSpec:
    """The end of a piece on a guide that does not turn: of a sheave at the middle of the arc."""
    spec = guide_spec(context, guide, laid, k)
    if spec.sheave is None:
        return spec
    R = context.placement(guide.body)[0]
    mark = replace(spec.sheave, wrap=0.5 * spec.sheave.wrap, reference=R.T @ laid.middle(k), carrier=spec.node)
    return replace(spec, sheave=mark)


def arc(laid: Laid, k: int) -> float:
    """Length of the arc over a stop [m]."""
    wheel = laid.stops[k].wheel
    return wheel.radius * float(laid.trace.wraps[k, 0]) if wheel is not None else 0.0


def first_guide(context: Context, cable: Any, begin: Begin) -> GuideSpec:
    """The exit: a point, or a pulley that swivels about the line on which the rope comes."""
    wheel = begin.laid.stops[0].wheel if begin.laid is not None else None
    if wheel is None:
        return GuideSpec(begin.node, begin.point)
    R, _ = context.placements[begin.node]
    axis = R.T @ unit(cable.pulley.axis)
    return GuideSpec(begin.node, begin.point, SheaveSpec(wheel.radius, axis, 1, SheaveKind.CASTOR, wheel.wrap))


def guide_spec(context: Context, guide: Any, laid: Laid, k: int) -> GuideSpec:
    """A guide that does not turn, or whose turning does not matter."""
    wheel, node = laid.stops[k].wheel, context.handles[guide.body]
    if wheel is None:
        return GuideSpec(node, guide.point, None, *friction_numbers(guide))
    axis = unit(guide.axis) if guide.axis is not None else np.eye(3)[2]
    sheave = SheaveSpec(wheel.radius, axis, wheel.side, wheel.kind, wheel.wrap)
    return GuideSpec(node, guide.point, sheave, *friction_numbers(guide))


def add_wheel(context: Context, cable: Any, k: int, guide: Sheave, laid: Laid) -> GuideSpec:
    """Add a wheel that turns with the rope: a node, and the end of a piece on it."""
    wheel, carrier, axis = laid.stops[k].wheel, context.handles[guide.body], unit(guide.axis)
    assert wheel is not None
    R = context.placement(guide.body)[0]
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    is_rubbed = guide.bearing is not None and guide.bearing.friction > 0.0
    # inertia against the world, not of a rotor against its carrier: a wheel on a frictionless bearing does not turn it
    body = RigidBody(inertia=guide.inertia * np.outer(axis, axis))
    node = context.tree.add_node(f"{cable.name}.sheave{k}", JointKind.REVOLUTE, carrier, body, offset=guide.point,
                                 axes=(axis, unit(across)), columns=[ColumnSpec(is_capstan=is_rubbed)],
                                 velocity=[guide.spin])  # fmt: skip
    sheave = SheaveSpec(wheel.radius, axis, wheel.side, SheaveKind.FIXED, 0.5 * wheel.wrap,
                        reference=R.T @ laid.middle(k), carrier=carrier, turns=True)  # fmt: skip
    return GuideSpec(node, (0.0, 0.0, 0.0), sheave, *friction_numbers(guide))
