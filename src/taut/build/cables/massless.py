"""Cables without mass: a tether between the exit and the anchor, or a distance that is kept at most."""

from typing import Any

import numpy as np

from taut.build.cables.begin import Begin
from taut.build.cables.winches import ratio_of, spool_column, winch_of
from taut.build.context import Context
from taut.build.tree import WORLD, TetherSpec
from taut.model.enums import JointKind
from taut.scenario.cables.massless import CableIdeal, CableSpring
from taut.scenario.cables.winch import Drum
from taut.scenario.drivers.driver import DriverForce, DriverTrajectory
from taut.scenario.signals.derived import ScaledSignal


def add_spring(context: Context, cable: CableSpring, path: str, begin: Begin) -> None:
    """A tether; a drum is a coordinate of its own."""
    check_massless(context, cable, path)
    winch = winch_of(context, cable)
    drum = winch.drum if winch is not None else None
    is_fed = winch is not None and drum is None
    tether = TetherSpec(
        cable.name,
        (begin.node, context.handles[cable.body]),
        (begin.point, cable.anchor),
        begin.length,
        cable.axial_rigidity(begin.length),
        cable.axial_viscosity(),
        signal=context.real_signal(ratio_of(context, cable, path, begin.length)) if is_fed else -1,
        drum=add_drum(context, cable, drum, begin.length) if drum is not None else WORLD,
        switch=context.switch("cut", cable.name),
    )
    context.tree.add_tether(tether)
    context.tree.cables[cable.name] = ()


def add_ideal(context: Context, cable: CableIdeal, path: str, begin: Begin) -> None:
    """A distance that is kept at most."""
    check_massless(context, cable, path)
    winch = winch_of(context, cable)
    if winch is not None and winch.drum is not None:
        raise context.scenario.error(f"{path}.winch", "a drum needs a cable that stretches", value=cable.winch,
                                     remedy="use kind: spring or mrfe, or prescribe the length")  # fmt: skip
    signal = -1
    if winch is not None:
        ratio = ratio_of(context, cable, path, begin.length)
        signal = context.real_signal(ScaledSignal(ratio, begin.length, -begin.length))
    nodes, points = (begin.node, context.handles[cable.body]), (begin.point, cable.anchor)
    context.tree.add_distance(cable.name, nodes, points, begin.length, signal=signal,
                              switch=context.switch("cut", cable.name), restitution=cable.restitution)  # fmt: skip
    context.tree.cables[cable.name] = ()


def add_drum(context: Context, cable: Any, drum: Drum, length: float) -> int:
    """A coordinate that is the length outside: with the drum's inertia, torque, friction and brake at its radius."""
    axes = (np.eye(3)[2], np.eye(3)[1])
    return context.tree.add_node(f"{cable.name}.drum", JointKind.PRISMATIC, WORLD, axes=axes, position=[length],
                                 columns=[spool_column(context, cable, drum)])  # fmt: skip


def check_massless(context: Context, cable: Any, path: str) -> None:
    """Refuse what needs the shape of a cable."""
    remedy = "use kind: mrfe"
    if cable.pulley is not None:
        raise context.scenario.error(f"{path}.pulley", f"a cable of the kind {cable.kind} leaves from a point",
                                     remedy=remedy)  # fmt: skip
    driver = context.scenario.drivers.get(cable.driver or "")
    if isinstance(driver, DriverForce):
        message = f"pulls at a point without mass, which a cable of the kind {cable.kind} cannot carry"
        remedy = "let exit_body be a body with mass and a force act on it, or use kind: mrfe"
        raise context.scenario.error(f"{path}.driver", message, value=cable.driver, remedy=remedy)
    if isinstance(driver, DriverTrajectory) and (driver.enforce or context.scenario.run.driven) != "eliminated":
        message = f"holds a point without mass by multipliers, which a cable of the kind {cable.kind} cannot carry"
        raise context.scenario.error(f"{path}.driver", message, value=cable.driver, remedy="use enforce: eliminated")
