"""Build the model of a scenario: the steps of the build in their order."""

from collections.abc import Mapping
from dataclasses import replace

from taut.build.cables.kinds import add_cables
from taut.build.cables.ritz_shapes import RitzShapes
from taut.build.context import Context
from taut.build.machine.beliefs import believed_scenarios
from taut.build.machine.bodies import add_bodies
from taut.build.machine.closures import add_closures
from taut.build.machine.ground import add_events, add_ground
from taut.build.machine.inputs import add_commands, add_failures, add_forces
from taut.build.machine.springs import add_springs
from taut.build.reduction.reduced import CableShapes
from taut.build.tree import TreeBuilder
from taut.model.model import Model
from taut.scenario.builder import Machine
from taut.scenario.scenario import Scenario
from taut.scenario.start_pose import start_poses


def build(scenario: Scenario | Machine, shapes: Mapping[str, CableShapes | RitzShapes] | None = None) -> Model:
    """Compile a scenario, or a machine that was described in Python, to a Model.

    Args:
        scenario: the machine.
        shapes: cables that are reduced to sums of shapes, by name; all others are built as the scenario says.

    Raises:
        ScenarioError: what only the build can see.
    """
    if isinstance(scenario, Machine):
        scenario = scenario.scenario()
    context = collect(scenario, shapes or {})
    model = replace(context.tree.finish(scenario), reduced=context.reduced)
    # a controller may compute with other numbers than those of the true machine (``assumed``): build a model of each
    # such machine
    believed = {name: build(other) for name, other in believed_scenarios(scenario).items()}
    for name, other in believed.items():
        if other.names.columns != model.names.columns:
            raise scenario.error(f"controllers.{name}.assumed", "must leave the machine its joints")
    return replace(model, plan=replace(model.plan, believed=believed))


def collect(scenario: Scenario, shapes: Mapping[str, CableShapes | RitzShapes]) -> Context:
    """All parts of the machine in plain numbers, before they are frozen to tables."""
    context = Context(scenario, TreeBuilder(scenario.gravity), shapes=shapes)
    # commands first, so that their signals have the order of the scenario; then switches, which later parts refer to
    add_commands(context)
    add_failures(context)
    add_bodies(context)
    # cables and closures connect bodies at their poses at the start
    context.placements = {context.handles[name]: pose for name, pose in start_poses(scenario).items()}
    add_cables(context)
    add_closures(context)
    add_springs(context)
    add_forces(context)
    add_ground(context)
    add_events(context)
    return context
