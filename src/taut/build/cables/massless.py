"""Cables without mass: a tether from the exit over its guides to the anchor, or a way that is kept at most."""

from typing import Any

import numpy as np

from taut.build.cables.begin import Begin
from taut.build.cables.route_tables import TetherSpec
from taut.build.cables.routes import pieces_of
from taut.build.cables.winches import ratio_of, spool_column, winch_of
from taut.build.context import Context
from taut.build.tree import WORLD
from taut.model.enums import JointKind
from taut.scenario.cables.massless import CableIdeal, CableSpring
from taut.scenario.cables.winch import Drum
from taut.scenario.drivers.driver import DriverForce, DriverTrajectory
from taut.scenario.signals.derived import ScaledSignal


def add_spring(context: Context, cable: CableSpring, path: str, begin: Begin) -> None:
    """Tethers, one for each piece; a drum is a coordinate of its own. What a winch changes is the first piece."""
    check_massless(context, cable, path)
    winch = winch_of(context, cable)
    drum = winch.drum if winch is not None else None
    is_fed = winch is not None and drum is None
    ratio = ratio_of(context, cable, path, begin.length) if is_fed else None
    for k, piece in enumerate(pieces_of(context, cable, begin)):
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
            drum=add_drum(context, cable, drum, length) if drum is not None and k == 0 else WORLD,
            switch=context.switch("cut", cable.name),
            guides=piece.guides,
        )
        context.tree.add_piece(cable.name, "tether", context.tree.add_tether(tether))
    context.tree.cables[cable.name] = ()


def add_ideal(context: Context, cable: CableIdeal, path: str, begin: Begin) -> None:
    """Ways that are kept at most, one for each piece."""
    check_massless(context, cable, path)
    winch = winch_of(context, cable)
    drum = winch.drum if winch is not None else None
    signal = -1
    if winch is not None and drum is None:
        ratio = ratio_of(context, cable, path, begin.length)
        signal = context.real_signal(ScaledSignal(ratio, begin.length, -begin.length))
    for k, piece in enumerate(pieces_of(context, cable, begin)):
        ends, length = (piece.guides[0], piece.guides[-1]), piece.share * begin.length
        number = context.tree.add_distance(
            piece.name,
            (ends[0].node, ends[1].node),
            (ends[0].point, ends[1].point),
            length,
            signal=signal if k == 0 else -1,
            switch=context.switch("cut", cable.name),
            restitution=cable.restitution,
            guides=piece.guides,
            drum=add_drum(context, cable, drum, length) if drum is not None and k == 0 else WORLD,
        )
        context.tree.add_piece(cable.name, "closure", number)
    context.tree.cables[cable.name] = ()


def add_drum(context: Context, cable: Any, drum: Drum, length: float) -> int:
    """A coordinate that is the length outside: with the drum's inertia, torque, friction and brake at its radius."""
    axes = (np.eye(3)[2], np.eye(3)[1])
    return context.tree.add_node(f"{cable.name}.drum", JointKind.PRISMATIC, WORLD, axes=axes, position=[length],
                                 columns=[spool_column(context, cable, drum)])  # fmt: skip


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
