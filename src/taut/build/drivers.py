"""Drivers: the node a cable's exit sits on. A new kind of driver is one function here and a line in ``exit_node``."""

from taut.build.context import Context
from taut.build.tree import WORLD
from taut.model.enums import ClosureKind, JointKind
from taut.scenario.cable import Cable
from taut.scenario.driver import DriverTrajectory


def exit_node(context: Context, cable: Cable) -> tuple[int, tuple[float, float, float]]:
    """Handle of the node that carries a cable's exit, and the exit point in its frame."""
    if cable.exit_body is not None:
        return context.handles[cable.exit_body], cable.exit
    driver = context.scenario.drivers[cable.driver] if cable.driver is not None else None
    if isinstance(driver, DriverTrajectory):
        return trajectory_node(context, cable, driver), (0.0, 0.0, 0.0)
    return WORLD, cable.exit


def trajectory_node(context: Context, cable: Cable, driver: DriverTrajectory) -> int:
    """A point that follows signals: eliminated, or free and held by multipliers [Mamidi 2024, Eqs. 12, 13]."""
    signals = context.signals(driver.signals())
    start = cable.exit if driver.is_offset() else (0.0, 0.0, 0.0)
    name = f"{cable.name}.exit"
    if (driver.enforce or context.scenario.run.driven) == "eliminated":
        return context.tree.add_node(name, JointKind.DRIVEN, WORLD, signals=signals, start=start)
    curves = [context.scenario.signal(spec).evaluate(0.0) for spec in driver.signals()]
    position = [float(s + value) for s, (value, _, _) in zip(start, curves, strict=True)]
    velocity = [float(rate) for _, rate, _ in curves]
    node = context.tree.add_node(name, JointKind.POINT, WORLD, position=position, velocity=velocity)
    context.tree.add_closure(name, ClosureKind.POINT, (node, WORLD), ((0.0, 0.0, 0.0), start), signals=signals)
    return node
