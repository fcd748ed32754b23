"""Drivers: the node a cable's exit sits on. A new kind of driver is one function here and a line in ``exit_node``."""

import numpy as np

from taut.build.context import Context
from taut.build.tree import WORLD
from taut.model.enums import ClosureKind, JointKind
from taut.scenario.cables.cable import Cable
from taut.scenario.drivers.driver import CARRIERS, DriverForce, DriverTrajectory

NO_TORQUE = (-1, -1, -1)


def exit_node(context: Context, cable: Cable) -> tuple[int, tuple[float, float, float]]:
    """Handle of the node that carries a cable's exit, and the exit point in its frame."""
    if cable.exit_body is not None:
        return context.handles[cable.exit_body], cable.exit
    driver = context.scenario.drivers[cable.driver] if cable.driver is not None else None
    if isinstance(driver, DriverTrajectory):
        return trajectory_node(context, cable, driver), (0.0, 0.0, 0.0)
    if isinstance(driver, DriverForce):
        return force_node(context, cable, driver), (0.0, 0.0, 0.0)
    if isinstance(driver, CARRIERS) and cable.driver is not None:
        x, y, z = context.to_body(cable.driver, cable.exit)
        return context.handles[cable.driver], (float(x), float(y), float(z))
    return WORLD, cable.exit


def force_node(context: Context, cable: Cable, driver: DriverForce) -> int:
    """A point without mass that a force pulls at; a force that turns with the cable acts on its first element."""
    node = context.tree.add_node(f"{cable.name}.exit", JointKind.POINT, WORLD, position=cable.exit)
    context.placements[node] = np.eye(3), np.array(cable.exit)
    if driver.frame == "world":
        add_exit_force(context, cable, driver, node)
    return node


def add_exit_force(context: Context, cable: Cable, driver: DriverForce, node: int) -> None:
    """The force of a driver on a node at the exit."""
    signals = (*context.signals(driver.force), *NO_TORQUE)
    is_follower = driver.frame == "cable"
    switch = context.switch("loss", cable.driver)
    context.tree.add_wrench(node, (0.0, 0.0, 0.0), signals, is_follower=is_follower, switch=switch)


def trajectory_node(context: Context, cable: Cable, driver: DriverTrajectory) -> int:
    """A point that follows signals: eliminated, or free and held by multipliers [Mamidi 2024, Eqs. 12, 13]."""
    signals = context.signals(driver.signals())
    start = cable.exit if driver.is_offset() else (0.0, 0.0, 0.0)
    name = f"{cable.name}.exit"
    curves = [context.scenario.signal(spec).evaluate(0.0) for spec in driver.signals()]
    position = [float(s + value) for s, (value, _, _) in zip(start, curves, strict=True)]
    pose = np.eye(3), np.array(position)
    if (driver.enforce or context.scenario.run.driven) == "eliminated":
        node = context.tree.add_node(name, JointKind.DRIVEN, WORLD, signals=signals, start=start)
        context.placements[node] = pose
        return node
    velocity = [float(rate) for _, rate, _ in curves]
    node = context.tree.add_node(name, JointKind.POINT, WORLD, position=position, velocity=velocity)
    context.placements[node] = pose
    context.tree.add_closure(name, ClosureKind.POINT, (node, WORLD), ((0.0, 0.0, 0.0), start), signals=signals)
    return node
