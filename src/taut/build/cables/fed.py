"""Cables of elements whose length outside is a coordinate: wound on a drum, or running over a pulley or guides.

What lies between the exit and the first element: a drum's coordinate is the length itself where the cable leaves it
straight. Behind a pulley, or behind the last guide of a route, the rope is elastic without mass: a tether whose way is
the arcs and spans there, and whose unstrained length is what the winch or drum has paid out, less the length L outside
(``dynamics/forces/feed_coordinate.py``). Where the elements leave a wheel, its turn carries the point of tangency.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.build.cables.axes import exit_frame
from taut.build.cables.begin import Begin
from taut.build.cables.massless import add_drum, add_drum_friction, paid_by, travelling
from taut.build.cables.pulleys import ARRIVAL, add_pulley, tangent_of
from taut.build.cables.route_tables import GuideSpec, PaySpec, SheaveSpec, Slip, TetherSpec
from taut.build.cables.routes import first_guide, guide_spec
from taut.build.cables.winches import drum_column, ratio_of, refuse_states, winch_of
from taut.build.context import Context
from taut.build.tree import ColumnSpec
from taut.model.enums import JointKind
from taut.model.routes import SheaveKind
from taut.scenario.cables.guide import Sheave
from taut.scenario.cables.mrfe import CableMrfe
from taut.scenario.cables.ways import Laid
from taut.scenario.signals.derived import ScaledSignal
from taut.scenario.start_pose import unit

if TYPE_CHECKING:
    from taut.build.cables.chain import Chain

ORIGIN = (0.0, 0.0, 0.0)
NO_AXIS = (np.zeros(3), np.zeros(3))
NOTHING = ColumnSpec()
# cable laws under which the rope behind a guide is linear in tension
FLANKS = 50  # iterations for the radius on the flank of a groove, which gain (R h/b^2)^2 each
LINEAR_LAWS = ("linear", "kelvin-voigt", "bilinear")


@dataclass(frozen=True)
class Outside:
    """Start of the elements of a cable that is fed: node of the feed, length and direction outside."""

    chain: "Chain"
    feed: int  # node whose coordinate is the length of the cable outside
    length: float  # unstrained length of the elements at the start [m]
    way: np.ndarray  # vector from the first element's start to the anchor, world axes [m]
    rate: float = 0.0  # rate of the length at the start [m/s]


@dataclass(frozen=True)
class Leaving:
    """Where a rope leaves its last guide at the start, world axes."""

    e: np.ndarray  # unit vector from the centre of a sheave to the point where the rope leaves it
    way: np.ndarray  # vector from that point to the anchor [m]
    climb: float = 0.0  # by how much the point is farther from the axis than the rope on the wheel [m]
    arc: float = 0.0  # by how much the rope on the wheel is longer than laid in the wheel's plane [m]


@dataclass(frozen=True)
class Behind:
    """The rope between winch or drum and the first element."""

    whole: float  # unstrained length of the whole cable at the start [m]
    length: float  # unstrained length of the rope behind the first element at the start [m]
    guides: tuple[GuideSpec, ...]
    paying: tuple[PaySpec, ...]
    is_two_sided: bool  # whether the rope may push: rope that lies on a wheel only cannot go slack


def has_feed(context: Context, cable: CableMrfe) -> bool:
    """Whether the length outside is a coordinate."""
    winch = winch_of(context, cable)
    return cable.pulley is not None or bool(cable.via) or (winch is not None and winch.drum is not None)


def leaves_wheel(cable: CableMrfe, *, planar: bool) -> bool:
    """Whether the first element goes on straight from a wheel."""
    return isinstance(cable.via[-1], Sheave) and planar if cable.via else cable.pulley is not None


def begin_outside(context: Context, cable: CableMrfe, path: str, begin: Begin, make: Any) -> Outside:
    """Nodes before the first element of a cable that is fed; ``make`` makes its chain."""
    refuse_states(context, cable, path)
    winch = winch_of(context, cable)
    if winch is not None and winch.feed == "paper":
        message = "the published form goes with a prescribed length and an exit that is a point only"
        raise context.scenario.error(f"drivers.{cable.winch}.feed", message, value=winch.feed, remedy="use consistent")
    if cable.via:
        return after_guides(context, cable, path, begin, make)
    if cable.pulley is not None:
        return after_pulley(context, cable, path, begin, make)
    assert winch is not None and winch.drum is not None
    R = context.placements[begin.node][0]
    column = drum_column(context, cable, winch.drum)
    column = replace(column, spring=replace(column.spring, free=begin.length))
    feed = add_feed(context, cable, (begin.node, begin.point), begin.length, column)
    chain = make(context, cable, feed, R, ORIGIN, exit_frame(context, cable, R, begin.chord))
    return Outside(chain, feed, begin.length, begin.chord)


def add_feed(
    context: Context, cable: CableMrfe, at: tuple[int, Any], length: float, column: ColumnSpec = NOTHING
) -> int:
    """The coordinate of a length, on the node and point that carry the cable's first joint."""
    rate = start_rate(context, cable)
    return context.tree.add_node(f"{cable.name}.length", JointKind.FEED, at[0], offset=at[1], axes=NO_AXIS,
                                 columns=[column], position=[length], velocity=[rate])  # fmt: skip


def start_rate(context: Context, cable: CableMrfe) -> float:
    """Rate of paying out at the start [m/s]."""
    winch = winch_of(context, cable)
    if winch is None or winch.drum is not None:
        return 0.0
    return float(context.scenario.signal(winch.change(1.0)).evaluate(0.0)[1])


def shared(begin: Begin, way: float) -> float:
    """Unstrained length of a part of the cable at the start [m]: all of it is strained alike, or slack outside."""
    assert begin.laid is not None
    return way * min(1.0, begin.length / begin.laid.length)


def after_pulley(context: Context, cable: CableMrfe, path: str, begin: Begin, make: Any) -> Outside:
    """Add swivel, wheel, and the rope on the wheel."""
    assert cable.pulley is not None
    tangent = tangent_of(context, cable.pulley, path, begin.chord)
    behind = shared(begin, tangent.arc)
    R_exit = context.placements[begin.node][0]
    wheel, R = add_pulley(context, cable, (begin.node, R_exit, begin.point), tangent)
    outside = begin.length - behind
    feed = add_feed(context, cable, (wheel, (-tangent.radius, 0.0, 0.0)), outside)
    paying = PaySpec(feed, -1.0, outside), PaySpec(wheel, tangent.radius, ARRIVAL, is_way=True)
    guides = (GuideSpec(begin.node, begin.point),)
    add_behind(context, cable, path, Behind(begin.length, behind, guides, paying, is_two_sided=True))
    chain = make(context, cable, feed, R, ORIGIN, np.eye(3))
    return Outside(chain, feed, outside, tangent.direction * tangent.free, start_rate(context, cable))


def check_guides(context: Context, cable: CableMrfe, path: str) -> None:
    """Refuse what guides of cables without mass have alone."""
    for k, guide in enumerate(cable.via):
        for key in ("inertia", "friction", "bearing", "efficiency", "spin"):
            if key in guide.model_fields_set and getattr(guide, key):
                message = f"goes with cables without mass only, and {cable.name} has mass"
                raise context.scenario.error(f"{path}.via[{k}].{key}", message, remedy="leave it out, or use spring")
    if isinstance(cable.via[-1], Sheave) and cable.via[-1].axis is None:
        message = "the sheave that a cable of elements leaves needs an axis"
        raise context.scenario.error(f"{path}.via[{len(cable.via) - 1}].axis", message)


def after_guides(context: Context, cable: CableMrfe, path: str, begin: Begin, make: Any) -> Outside:
    """Guides of a route, the last of which the elements leave."""
    laid, last = begin.laid, len(cable.via)
    assert laid is not None
    check_guides(context, cable, path)
    flank = leaving(laid, last, is_flat=context.scenario.planar)
    behind = shared(begin, laid.length - float(laid.trace.spans[last, 0]) + flank.arc)
    outside = begin.length - behind
    guides = [first_guide(context, cable, begin)]
    guides += [guide_spec(context, guide, laid, k) for k, guide in enumerate(cable.via[:-1], 1)]
    guide = cable.via[-1]
    if isinstance(guide, Sheave):
        wheel, R, spec = add_wheel(context, cable, guide, begin, flank.e)
        leaves, climb = (wheel, (guide.radius, 0.0, 0.0)), -1
        if not context.scenario.planar:
            climb = add_climb(context, cable, leaves, flank.climb)
            leaves = (climb, ORIGIN)
        feed = add_feed(context, cable, leaves, outside)
        guides.append(spec)
        chain = make(context, cable, feed, R, ORIGIN, np.eye(3), climb)
    else:
        node = context.handles[guide.body]
        R = context.placement(guide.body)[0]
        feed = add_feed(context, cable, (node, guide.point), outside)
        guides.append(GuideSpec(node, guide.point))
        chain = make(
            context, cable, feed, R, ORIGIN, exit_frame(context, cable, R, flank.way / np.linalg.norm(flank.way))
        )
    paying = (PaySpec(feed, -1.0, outside),)
    add_behind(context, cable, path, Behind(begin.length, behind, tuple(guides), paying, is_two_sided=False))
    return Outside(chain, feed, outside, flank.way, start_rate(context, cable))


def leaving(laid: Laid, k: int, *, is_flat: bool) -> Leaving:
    """Where a rope leaves its last guide, on the flank of the groove if that is a sheave.

    At the fleet angle psi it leaves at the distance r = R/cos psi from the axis, tan psi = h/b, with the way h along
    the axis to the next stop and b = sqrt(w^2 - r^2) of the way w across it: r is the fixed point of these two.
    """
    stop, e = laid.stops[k], laid.trace.leaves[k, 0]
    way = laid.trace.spans[k, 0] * laid.trace.directions[k, 0]
    if stop.wheel is None or stop.axis is None or is_flat:
        return Leaving(e, way)
    axis, R, side = stop.axis[0], stop.wheel.radius, stop.wheel.side
    to = laid.trace.centres[k + 1, 0] - laid.trace.centres[k, 0]
    h = float(axis @ to)
    across, r, b = to - h * axis, R, 0.0
    w = float(np.linalg.norm(across))
    for _ in range(FLANKS):
        b = np.sqrt(max(w**2 - r**2, 1e-12 * w**2))
        r = R * np.hypot(1.0, h / b)
    found = (r * across - side * b * np.cross(axis, across)) / w**2
    found /= np.linalg.norm(found)
    turn = side * np.arctan2(axis @ np.cross(e, found), e @ found)
    return Leaving(found, to - r * found, r - R, R * float(turn))


def add_wheel(
    context: Context, cable: CableMrfe, guide: Sheave, begin: Begin, e: np.ndarray
) -> tuple[int, np.ndarray, GuideSpec]:
    """Add the turn of the point where the rope leaves the last sheave.

    Returns its node, whose x axis leads to that point and whose z axis follows the rope, the node's rotation at the
    start, and the sheave as a guide of the rope behind.
    """
    laid, k = begin.laid, len(cable.via)
    assert laid is not None and guide.axis is not None
    stop = laid.stops[k]
    assert stop.wheel is not None and stop.axis is not None
    z = stop.wheel.side * np.cross(stop.axis[0], e)
    frame = np.column_stack([e, np.cross(z, e), z])
    node, R_body = context.handles[guide.body], context.placement(guide.body)[0]
    axis = frame.T @ stop.axis[0]
    wheel = context.tree.add_node(f"{cable.name}.wheel", JointKind.REVOLUTE, node, offset=guide.point,
                                  rotation=R_body.T @ frame, axes=(axis, np.eye(3)[0]))  # fmt: skip
    sheave = SheaveSpec(guide.radius, axis, stop.wheel.side, SheaveKind.FIXED, stop.wheel.wrap,
                        reference=unit((1.0, 0.0, 0.0)), carrier=wheel)  # fmt: skip
    return wheel, frame, GuideSpec(wheel, ORIGIN, sheave)


def add_climb(context: Context, cable: CableMrfe, at: tuple[int, Any], climb: float) -> int:
    """Let the point where the rope leaves climb the flank of the groove; ``add_chain`` says by how much."""
    return context.tree.add_node(f"{cable.name}.climb", JointKind.PRISMATIC, at[0], offset=at[1],
                                 axes=(np.eye(3)[0], np.eye(3)[1]), position=[climb])  # fmt: skip


def add_behind(context: Context, cable: CableMrfe, path: str, behind: Behind) -> None:
    """The tether that pays out what flows to the elements."""
    if cable.axial_law.law not in LINEAR_LAWS:
        raise context.scenario.error(f"{path}.axial_law", "cannot go over a pulley or guides: the rope there is linear",
                                     value=cable.axial_law.law, remedy=f"use {' or '.join(LINEAR_LAWS)}")  # fmt: skip
    winch = winch_of(context, cable)
    drum = winch.drum if winch is not None else None
    signal, more = -1, behind.whole / behind.length
    if winch is not None and drum is None:
        ratio = ratio_of(context, cable, path, behind.whole)
        signal = context.real_signal(ScaledSignal(ratio, more, 1.0 - more))
    section = cable.section(behind.whole)
    ends = behind.guides[0], behind.guides[-1]
    slips: tuple[Slip, ...] = ()
    guides = behind.guides
    if drum is not None:
        assert cable.winch is not None
        spool = add_drum(context, cable, cable.winch, behind.whole)
        slips = (paid_by(cable, drum, spool),)
        if drum.axis is not None:
            guides = (travelling(context, cable, cable.winch, guides[0]), *guides[1:])
    number = context.tree.add_tether(
        TetherSpec(
            f"{cable.name}.rope",
            (ends[0].node, ends[1].node),
            (ends[0].point, ends[1].point),
            behind.length,
            section.axial_stiffness,
            section.axial_damping,
            signal=signal,
            slips=slips,
            is_two_sided=behind.is_two_sided,
            guides=guides,
            paying=behind.paying,
        )
    )
    if drum is not None:
        add_drum_friction(context, cable.winch, ("tether", number))
