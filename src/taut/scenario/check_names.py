"""Names: every one given once, every reference leading somewhere."""

from collections.abc import Iterable, Iterator
from typing import Any

from .errors import Problem, suggest
from .expression import WORDS


def find_name_problems(scenario: Any) -> Iterator[Problem]:
    """Yield reserved and repeated names and references to things that are not there."""
    yield from _reserved(scenario)
    for group in ("cables", "closures", "forces", "events"):
        yield from _repeated(scenario, group)
    bodies = list(scenario.all_bodies())
    for name, body in scenario.all_bodies().items():
        yield from _unknown(scenario, f"{scenario.body_path(name)}.joint.parent", body.joint.parent, [*bodies, "world"])
    for i, cable in enumerate(scenario.cables):
        yield from _unknown(scenario, f"cables[{i}].body", cable.body, [*bodies, "world"])
        yield from _unknown(scenario, f"cables[{i}].exit_body", cable.exit_body, [*bodies, "world"])
        yield from _unknown(scenario, f"cables[{i}].driver", cable.driver, list(scenario.drivers), "driver")
    for i, closure in enumerate(scenario.closures):
        for k, body in enumerate(closure.bodies):
            yield from _unknown(scenario, f"closures[{i}].bodies[{k}]", body, [*bodies, "world"])
    for i, force in enumerate(scenario.forces):
        yield from _unknown(scenario, f"forces[{i}].body", force.body, bodies)
    for i, event in enumerate(scenario.events):
        yield from _unknown(scenario, f"events[{i}].body", event.body, bodies)
    if scenario.motion is not None:
        yield from _unknown(scenario, "motion.body", scenario.motion.body, bodies)
    if scenario.ground is not None:
        yield from _unknown(scenario, "ground.body", scenario.ground.body, bodies)


def _reserved(scenario: Any) -> Iterator[Problem]:
    if "world" in scenario.bodies:
        yield scenario.problem(
            "bodies.world", "world is the name of the fixed frame", remedy="give the body another name"
        )
    if scenario.platform and "platform" in scenario.bodies:
        yield scenario.problem("platform", "given twice: here and as bodies.platform", remedy="remove one of the two")
    for name, _, path in scenario.crane_parts():
        if name in scenario.bodies or (scenario.platform and name == "platform"):
            yield scenario.problem(f"crane.{path}", f"the crane has a body named {name} already given", value=name)
    if scenario.crane is not None and scenario.planar and scenario.crane.kind == "spatial":
        yield scenario.problem("crane.kind", "must be planar: the machine is", value="spatial")
    for name in scenario.signals:
        if name in WORDS:
            remedy = "give the signal another name"
            yield scenario.problem(f"signals.{name}", f"{name} already has a meaning in expressions", remedy=remedy)


def _repeated(scenario: Any, group: str) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for i, entry in enumerate(getattr(scenario, group)):
        if entry.name in first:
            remedy = f"{group}[{first[entry.name]}] has the same name: rename one of the two"
            yield scenario.problem(f"{group}[{i}].name", "name given twice", value=entry.name, remedy=remedy)
        elif entry.name is not None:
            first[entry.name] = i


def _unknown(scenario: Any, path: str, name: str | None, known: Iterable[str], what: str = "body") -> Iterator[Problem]:
    known = list(known)
    if name is not None and name not in known:
        remedy = suggest(name, known) or f"the scenario has no {what}"
        yield scenario.problem(path, f"there is no {what} of this name", value=name, remedy=remedy)
