"""Names: every one given once, every reference leading somewhere."""

from collections.abc import Iterable, Iterator
from typing import Any

from taut.scenario.errors import Problem, suggest
from taut.scenario.signals.expression import WORDS


def find_name_problems(scenario: Any) -> Iterator[Problem]:
    """Yield reserved and repeated names and references to things that are not there."""
    yield from _reserved(scenario)
    for group in ("cables", "closures", "springs", "forces", "events", "failures"):
        yield from _repeated(scenario, group)
    bodies = list(scenario.all_bodies())
    for name, body in scenario.all_bodies().items():
        yield from _unknown(scenario, f"{scenario.body_path(name)}.joint.parent", body.joint.parent, [*bodies, "world"])
    for i, cable in enumerate(scenario.cables):
        yield from _cable(scenario, f"cables[{i}]", cable, bodies)
    yield from _ends(scenario, bodies)
    for i, force in enumerate(scenario.forces):
        yield from _unknown(scenario, f"forces[{i}].body", force.body, bodies)
    for i, event in enumerate(scenario.events):
        yield from _event(scenario, f"events[{i}]", event, bodies)
    for i, failure in enumerate(scenario.failures):
        yield from _failure(scenario, f"failures[{i}]", failure)
    for key in ("motion", "ground"):
        if getattr(scenario, key) is not None:
            yield from _unknown(scenario, f"{key}.body", getattr(scenario, key).body, bodies)


def is_watched(cable: Any) -> bool:
    """Whether events may watch the tension of a cable: without mass, or of elements behind a pulley or guides."""
    return cable.kind in ("spring", "ideal") or (cable.kind == "mrfe" and bool(cable.pulley or cable.via))


def _event(scenario: Any, path: str, event: Any, bodies: list[str]) -> Iterator[Problem]:
    """The body or cable that an event watches; its measurement is looked for in ``watched``."""
    if event.measurement is not None:
        return
    if event.cable is None:
        yield from _unknown(scenario, f"{path}.body", event.body, bodies)
    else:
        ropes = [cable.name for cable in scenario.cables if is_watched(cable)]
        yield from _unknown(scenario, f"{path}.cable", event.cable, ropes)


def _ends(scenario: Any, bodies: list[str]) -> Iterator[Problem]:
    """Problems of names of bodies that closures and springs join."""
    ends = [(f"{group}[{i}].bodies[{k}]", body) for group in ("closures", "springs")
            for i, entry in enumerate(getattr(scenario, group)) for k, body in enumerate(entry.bodies)]  # fmt: skip
    for path, body in ends:
        yield from _unknown(scenario, path, body, [*bodies, "world"])
    cables = {cable.name for cable in scenario.cables}
    for i, spring in enumerate(scenario.springs):
        if spring.name in cables:
            yield scenario.problem(f"springs[{i}].name", "a cable has the same name", value=spring.name)


def _reserved(scenario: Any) -> Iterator[Problem]:
    if "world" in scenario.bodies:
        yield scenario.problem(
            "bodies.world", "world is the name of the fixed frame", remedy="give the body another name"
        )
    for name in scenario.drivers:
        if name in scenario.bodies or name in ("platform", "world"):
            remedy = "give one of the two another name"
            yield scenario.problem(f"drivers.{name}", "a body has the same name", remedy=remedy)
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


def _cable(scenario: Any, path: str, cable: Any, bodies: list[str]) -> Iterator[Problem]:
    """Problems of names that a cable refers to: bodies, driver, winch."""
    yield from _unknown(scenario, f"{path}.body", cable.body, [*bodies, "world"])
    yield from _unknown(scenario, f"{path}.exit_body", cable.exit_body, [*bodies, "world"])
    for k, guide in enumerate(getattr(cable, "via", ())):
        yield from _unknown(scenario, f"{path}.via[{k}].body", guide.body, [*bodies, "world"])
    yield from _unknown(scenario, f"{path}.driver", cable.driver, list(scenario.drivers), "driver")
    winches = [name for name, driver in scenario.drivers.items() if driver.kind == "winch"]
    yield from _unknown(scenario, f"{path}.winch", cable.winch, winches, "winch")
    if cable.driver in winches:
        yield scenario.problem(f"{path}.driver", "is a winch, which moves no exit", value=cable.driver,
                               remedy="write winch: instead of driver:")  # fmt: skip


def _failure(scenario: Any, path: str, failure: Any) -> Iterator[Problem]:
    """Problems of names that a failure refers to: its target, and the event that it waits for."""
    drums = [name for name, driver in scenario.drivers.items() if driver.kind == "winch" and driver.drum is not None]
    forces = [force.name for parts in scenario.driver_parts().values() for force in parts.forces]
    lossy = [name for name, driver in scenario.drivers.items() if driver.kind in ("quadcopter", "force", "winch")]
    known = {
        "cut": ([cable.name for cable in scenario.cables], "cable"),
        "release": ([closure.name for closure in scenario.all_closures()], "closure"),
        "loss": ([*lossy, *(force.name for force in scenario.forces if force.name), *forces], "driver, rotor or force"),
        "brake": (drums, "winch with a drum"),
        "brake-loss": (drums, "winch with a drum"),
    }
    names, what = known[failure.kind]
    yield from _unknown(scenario, f"{path}.target", failure.target, names, what)
    events = [event.name for event in scenario.events]
    yield from _unknown(scenario, f"{path}.when", failure.when, events, "event")
    cable = next((own for own in scenario.cables if failure.kind == "cut" and own.name == failure.target), None)
    if cable is not None and failure.place < 1.0 and (reason := _parts_at_anchor(scenario, cable)):
        message = f"{reason}, so that it can be cut at its anchor only"
        yield scenario.problem(f"{path}.place", message, value=failure.place, remedy="leave it out")
    driver = scenario.drivers.get(failure.target)
    if failure.kind == "loss" and driver is not None and driver.kind == "winch" and (failure.when or driver.drum):
        message = (
            "a winch with a prescribed length can stop at a time only, and a drum has no drive to lose but its brake"
        )
        yield scenario.problem(path, message, remedy="give at: a time, or kind: brake-loss")


def _parts_at_anchor(scenario: Any, cable: Any) -> str:
    """Why a cable can be cut at its anchor only; empty if it can be cut anywhere."""
    if cable.kind in ("spring", "ideal"):
        return ""
    if cable.kind != "mrfe":
        return f"{cable.name} is of the kind {cable.kind}, which has no elements"
    if cable.winch is not None or cable.pulley is not None or cable.via:
        return f"the elements of {cable.name} all share the length that a winch, pulley or guides let out"
    driver = scenario.drivers.get(cable.driver or "")
    if driver is not None and driver.kind == "force":
        return f"{cable.name} is held by a force at its exit"
    return ""


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
