"""Cables without mass: a tether from the exit over its guides to the anchor, or a rope of at most its length."""

from dataclasses import replace
from typing import Any

import numpy as np

from taut.build.cables.begin import Begin
from taut.build.cables.route_tables import CapstanSpec, GuideSpec, TetherSpec, layers_of
from taut.build.cables.routes import Piece, pieces_of
from taut.build.cables.rubs import add_rubs
from taut.build.cables.winches import drum_column, drum_of, ratio_of, winch_of
from taut.build.context import Context
from taut.build.tree import WORLD
from taut.model.enums import CapstanKind, JointKind
from taut.scenario.cables.massless import CableIdeal, CableSpring
from taut.scenario.cables.winch import Drum
from taut.scenario.drivers.driver import DriverForce, DriverTrajectory
from taut.scenario.signals.derived import ScaledSignal
from taut.scenario.start_pose import unit


def add_spring(context: Context, cable: CableSpring, path: str, begin: Begin) -> None:
    """Tethers, one for each piece; a drum is a coordinate of its own. What a winch changes is the first piece."""
    check_massless(context, cable, path)
    winch = winch_of(context, cable)
    is_fed = winch is not None and winch.drum is None
    ratio = ratio_of(context, cable, path, begin.length) if is_fed else None
    pieces = wound(context, cable, pieces_of(context, cable, begin), begin.length)
    switches = cut_switches(context, cable, pieces)
    for k, piece in enumerate(pieces):
        length, more = piece.share * begin.length, 1.0 / piece.share
        ends = piece.guides[0], piece.guides[-1]
        tether = TetherSpec(
            piece.name,
            (ends[0].node, ends[1].node),
            (ends[0].point, ends[1].point),
            length,
            cable.axial_rigidity(begin.length),
            cable.axial_viscosity(),
            signal=context.real_signal(ScaledSignal(ratio, more, 1.0 - more) if more > 1.0 else ratio)
            if is_fed and k == 0
            else -1,
            switch=switches[k],
            guides=piece.guides,
            slips=piece.slips,
        )
        context.tree.add_piece(cable.name, "tether", context.tree.add_tether(tether))
    add_rubs(context, cable, [piece.rubs for piece in pieces])
    own = context.tree.pieces[cable.name]
    for name, piece in ((cable.winch, own[0]), (cable.anchor_winch, own[-1])):
        add_drum_friction(context, name, piece)
    context.tree.cables[cable.name] = ()


def add_ideal(context: Context, cable: CableIdeal, path: str, begin: Begin) -> None:
    """Ways that are kept at most, one for each piece."""
    check_massless(context, cable, path)
    winch = winch_of(context, cable)
    signal = -1
    if winch is not None and winch.drum is None:
        ratio = ratio_of(context, cable, path, begin.length)
        signal = context.real_signal(ScaledSignal(ratio, begin.length, -begin.length))
    pieces = wound(context, cable, pieces_of(context, cable, begin), begin.length)
    switches = cut_switches(context, cable, pieces)
    for k, piece in enumerate(pieces):
        ends, length = (piece.guides[0], piece.guides[-1]), piece.share * begin.length
        number = context.tree.add_distance(
            piece.name,
            (ends[0].node, ends[1].node),
            (ends[0].point, ends[1].point),
            length,
            signal=signal if k == 0 else -1,
            switch=switches[k],
            restitution=cable.restitution,
            guides=piece.guides,
            slips=piece.slips,
        )
        context.tree.add_piece(cable.name, "closure", number)
    add_rubs(context, cable, [piece.rubs for piece in pieces])
    own = context.tree.pieces[cable.name]
    for name, piece in ((cable.winch, own[0]), (cable.anchor_winch, own[-1])):
        add_drum_friction(context, name, piece)
    context.tree.cables[cable.name] = ()


def cut_switches(context: Context, cable: Any, pieces: list[Piece]) -> list[int]:
    """Switch of every piece that loses its tension when the cable is cut; -1 for the others.

    That is the piece with the place of the cut, and its neighbours as far as the rope slips: on a guide with friction
    it cannot hold against nothing. A wheel that the rope sticks to is held, and turned, by what is left of it.
    """
    switch, found = context.switch("cut", cable.name), [-1] * len(pieces)
    if switch < 0:
        return found
    ends = np.cumsum([piece.share for piece in pieces])
    place = min(int(np.searchsorted(ends, context.scenario.cut_place(cable.name))), len(pieces) - 1)
    slips = [any(rub.kind == CapstanKind.SLIP for rub in piece.rubs) for piece in pieces]
    first, last = place, place
    while first > 0 and slips[first - 1]:
        first -= 1
    while last < len(pieces) - 1 and slips[last]:
        last += 1
    found[first : last + 1] = [switch] * (last + 1 - first)
    return found


def wound(context: Context, cable: Any, pieces: list[Piece], length: float) -> list[Piece]:
    """Pieces of a cable whose first and last are paid out by the drums at its ends."""
    found = list(pieces)
    for name, k, end in ((cable.winch, 0, 0), (cable.anchor_winch, len(pieces) - 1, -1)):
        drum = drum_of(context, name)
        if name is None or drum is None:
            continue
        piece, guides = found[k], list(found[k].guides)
        spool = add_drum(context, cable, name, piece.share * length)
        guides[end] = travelling(context, drum, spool, guides[end])
        slip = spool, paid_ratio(cable, drum)
        found[k] = replace(piece, guides=tuple(guides), slips=(slip, *piece.slips))
    return found


def paid_ratio(cable: Any, drum: Drum) -> float:
    """Length of a cable paid out by a unit of its drum's coordinate."""
    return (-1.0 if cable.winding == "backward" else 1.0) * drum.radius / drum.arm


def travelling(context: Context, drum: Drum, spool: int, guide: GuideSpec) -> GuideSpec:
    """The end of a cable on a drum: with an axis a point of the drum's node, which slides along it as it turns."""
    if drum.axis is None:
        return guide
    axis, start = unit(drum.axis), context.tree.nodes[spool].position[0]
    return replace(guide, node=spool, point=tuple(np.array(guide.point) - start * axis))


def add_drum(context: Context, cable: Any, winch: str, length: float) -> int:
    """The drum of a winch, which is there once for all cables that run on it.

    Its coordinate is the length outside of the first of them, with the drum's inertia, torque, friction and brake at
    its radius. Of a drum along which its ropes travel it is their travel, so that its node moves as they do.
    """
    key = spool_key(cable, winch)
    if winch in context.drums:
        context.tree.spools[key] = context.tree.nodes[context.drums[winch]].name
        return context.drums[winch]
    drum = drum_of(context, winch)
    assert drum is not None
    column = drum_column(context, cable, drum, winch)
    if closing_brake(context, winch, drum) is not None:
        column = replace(column, brake=0.0, is_braked=False, brake_switch=-1, is_capstan=True)
    if drum.gearbox is not None and drum.gearbox.efficiency < 1.0:
        column = replace(column, is_capstan=True)
    axis = unit(drum.axis) if drum.axis is not None else np.eye(3)[2]
    start = length * drum.arm / drum.radius
    column = replace(column, spring=replace(column.spring, free=start))
    axes = axis, unit(np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])) if drum.axis is not None else np.eye(3)[1]
    node = context.tree.add_node(f"{key}.drum", JointKind.PRISMATIC, WORLD, axes=axes, position=[start],
                                 columns=[column], velocity=[drum.speed * drum.arm])  # fmt: skip
    if drum.layers is not None:
        context.tree.layers[node] = layers_of(drum.radius, drum.layers)
    context.drums[winch], context.tree.spools[key] = node, f"{key}.drum"
    return node


def spool_key(cable: Any, winch: str) -> str:
    """Under which a drum is known by its cable: the cable's name, or, of that at its anchor, with the end."""
    return cable.name if winch == cable.winch else f"{cable.name}.anchor"


def closing_brake(context: Context, winch: str, drum: Drum) -> Any:
    """Force at the drum's radius of a brake that takes time to close, as a signal; none if it closes at once."""
    failures = context.scenario.failures
    failure = next((own for own in failures if (own.kind, own.target) == ("brake", winch)), None)
    if failure is None or drum.brake_delay + drum.brake_rise == 0.0:
        return None
    if failure.at is None:
        i = failures.index(failure)
        raise context.scenario.error(f"failures[{i}].when", "a brake that takes time to close needs a time",
                                     value=failure.when, remedy="give at, or no delay and rise")  # fmt: skip
    late = f"(t - {failure.at + drum.brake_delay!r})"
    share = f"min(max({late}/{drum.brake_rise!r}, 0), 1)" if drum.brake_rise > 0.0 else f"step({late})"
    return f"{drum.brake / drum.arm!r}*{share}"


def add_drum_friction(context: Context, winch: str | None, piece: tuple[str, int]) -> None:
    """Losses of the gearbox, and a brake that takes time to close, on the drum of a cable's first or last piece."""
    drum = drum_of(context, winch)
    if winch is None or drum is None or winch in context.rubbed:
        return
    context.rubbed.add(winch)
    r, node = drum.arm, context.drums[winch]
    if drum.gearbox is not None and drum.gearbox.efficiency < 1.0:
        lost = 1.0 / drum.gearbox.efficiency - 1.0
        context.tree.capstans.append(CapstanSpec(CapstanKind.GEAR, (piece, piece), node, 1, lost, drum.inertia / r**2))
    brake = closing_brake(context, winch, drum)
    if brake is not None:
        signal = context.real_signal(brake)
        context.tree.capstans.append(CapstanSpec(CapstanKind.BRAKE, (piece, piece), node, signal=signal))


def check_massless(context: Context, cable: Any, path: str) -> None:
    """Refuse what needs the shape of a cable."""
    driver = context.scenario.drivers.get(cable.driver or "")
    if isinstance(driver, DriverForce):
        message = f"pulls at a point without mass, which a cable of the kind {cable.kind} cannot carry"
        remedy = "let exit_body be a body with mass and a force act on it, or use kind: mrfe"
        raise context.scenario.error(f"{path}.driver", message, value=cable.driver, remedy=remedy)
    if isinstance(driver, DriverTrajectory) and (driver.enforce or context.scenario.run.driven) != "eliminated":
        message = f"holds a point without mass by multipliers, which a cable of the kind {cable.kind} cannot carry"
        raise context.scenario.error(f"{path}.driver", message, value=cable.driver, remedy="use enforce: eliminated")
