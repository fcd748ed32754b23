"""Cables without mass: a tether from the exit over its guides to the anchor, or a rope of at most its length."""

from dataclasses import replace
from typing import Any

import numpy as np

from taut.build.cables.begin import Begin
from taut.build.cables.route_tables import CapstanSpec, GuideSpec, Slip, TetherSpec, layers_of, travel_of
from taut.build.cables.routes import Piece, pieces_of
from taut.build.cables.rubs import add_rubs
from taut.build.cables.winches import drum_column, drum_of, ratio_of, winch_of
from taut.build.context import Context
from taut.build.tree import WORLD, ColumnSpec
from taut.model.enums import CapstanKind, JointKind
from taut.scenario.cables.massless import CableIdeal, CableSpring
from taut.scenario.cables.winch import Drum
from taut.scenario.drivers.driver import DriverForce, DriverTrajectory
from taut.scenario.signals.derived import ScaledSignal
from taut.scenario.start_pose import unit

# inertia of the point where a rope leaves a drum along which it travels, against that of the drum: it stands for none
TRAVELLING = 1e-6


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
    """Add closures that keep the route of each piece at most at its length."""
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
        if drum.axis is not None:
            guides[end] = travelling(context, cable, name, guides[end])
        found[k] = replace(piece, guides=tuple(guides), slips=(paid_by(cable, drum, spool), *piece.slips))
    return found


def paid_by(cable: Any, drum: Drum, spool: int) -> Slip:
    """What a drum pays out of a cable."""
    is_backward = cable.winding == "backward"
    layers = layers_of(drum.radius, drum.layers) if drum.layers is not None else None
    if layers is not None and is_backward:
        layers = layers.reflected(1.0)
    return Slip(spool, -1.0 if is_backward else 1.0, layers)


def travelling(context: Context, cable: Any, winch: str, guide: GuideSpec) -> GuideSpec:
    """The end of a cable that travels along its drum: a point that slides on its body as the drum turns.

    Its way from a point far behind it, which is as long as the drum says, is a closure: so what the rope pulls along
    the axis acts on the drum and on the body that carries it.
    """
    drum, spool = drum_of(context, winch), context.drums[winch]
    assert drum is not None and drum.axis is not None and drum.turn_pitch is not None
    axis, name = unit(drum.axis), f"{spool_key(cable, winch)}.travel"
    travel = travel_of(drum.radius, drum.turn_pitch, drum.layers)
    if drum.layers is not None and cable.winding == "backward":
        travel = travel.reflected(-1.0)
    slope = drum.turn_pitch / (2.0 * np.pi * drum.radius)
    start = context.tree.nodes[spool].position[0]
    # longer than any travel: rope outside is hauled in at most, and more than a layer is not passed through
    far = drum.radius + 2.0 * slope * start + (2.0 * drum.layers.width if drum.layers is not None else 0.0)
    ratio, motor = (drum.gearbox.ratio, drum.gearbox.inertia) if drum.gearbox is not None else (1.0, 0.0)
    column = ColumnSpec(armature=TRAVELLING * (drum.inertia + ratio**2 * motor) / drum.radius**2)
    across = unit(np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))]))
    node = context.tree.add_node(name, JointKind.PRISMATIC, guide.node, axes=(axis, across), position=[0.0],
                                 columns=[column], velocity=[slope * drum.speed * drum.radius])  # fmt: skip
    behind = tuple(np.array(guide.point) - far * axis)
    context.tree.add_distance(name, (guide.node, node), (behind, guide.point), far,
                              slips=(Slip(spool, slope, travel),))  # fmt: skip
    return replace(guide, node=node)


def add_drum(context: Context, cable: Any, winch: str, length: float) -> int:
    """The drum of a winch, which is there once for all cables that run on it.

    Its coordinate is the length outside of the first of them, with the drum's inertia, torque, friction and brake at
    its radius.
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
    column = replace(column, spring=replace(column.spring, free=length))
    node = context.tree.add_node(f"{key}.drum", JointKind.PRISMATIC, WORLD, position=[length], columns=[column],
                                 velocity=[drum.speed * drum.radius])  # fmt: skip
    context.drums[winch], context.tree.spools[key] = node, f"{key}.drum"
    return node


def spool_key(cable: Any, winch: str) -> str:
    """Key of a drum in tables by cable: the cable's name, with ``.anchor`` behind it for the drum at its anchor."""
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
    return f"{drum.brake / drum.radius!r}*{share}"


def add_drum_friction(context: Context, winch: str | None, piece: tuple[str, int]) -> None:
    """Losses of the gearbox, and a brake that takes time to close, on the drum of a cable's first or last piece."""
    drum = drum_of(context, winch)
    if winch is None or drum is None or winch in context.rubbed:
        return
    context.rubbed.add(winch)
    r, node = drum.radius, context.drums[winch]
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
