"""Events that watch measurements: whether these are there, and can be watched at every instant."""

from collections.abc import Iterator
from typing import Any

from taut.scenario.errors import Problem, suggest

NONSMOOTH = ("moreau-jean", "nonsmooth-generalized-alpha")
AXES = ("x", "y", "z", 0, 1, 2)
OF_BODIES, OF_JOINTS = ("position", "velocity"), ("position", "velocity")
NOT_WATCHED = {
    "encoder_angle": "jumps from count to count; watch drum_angle",
    "encoder_length": "jumps from count to count; watch length",
}


def find_watch_problems(scenario: Any) -> Iterator[Problem]:
    """Yield measurements that events cannot watch."""
    for i, event in enumerate(scenario.events):
        if event.measurement is None:
            continue
        path, found = f"events[{i}].measurement", scenario.measurements.get(event.measurement)
        if found is None:
            remedy = suggest(event.measurement, list(scenario.measurements)) or "the scenario has no measurement"
            yield scenario.problem(path, "there is no measurement of this name", value=event.measurement, remedy=remedy)
            continue
        reason = why_not(scenario, found)
        if reason:
            yield scenario.problem(path, f"cannot be watched: {reason}", value=event.measurement)


def why_not(scenario: Any, measured: Any) -> str:
    """Why events cannot watch a measurement; empty if they can."""
    owner, what = measured.owner(), measured.quantity()
    if owner == "machine":
        return "it has many numbers; watch a joint"
    if owner == "body":
        is_one = what in OF_BODIES and measured.component in AXES
        return "" if is_one else "of a body one component of position or velocity can be"
    if owner == "joint":
        joint = scenario.all_bodies()[measured.joint].joint if measured.joint in scenario.all_bodies() else None
        is_one = joint is None or (joint.size() == 1 and joint.motion is None)
        return "" if what in OF_JOINTS and is_one else "of a joint with one free coordinate position or velocity can be"
    if what == "guide_load" and measured.guide == 0:
        return "the load of a pulley at the exit is not; watch a tension"
    return NOT_WATCHED.get(what) or of_elements(scenario, measured, what)


def of_elements(scenario: Any, measured: Any, what: str) -> str:
    """Reason why a quantity of a cable with mass cannot be measured; empty if it can."""
    cable = next((own for own in scenario.cables if own.name == measured.cable), None)
    if cable is None or cable.kind in ("spring", "ideal"):
        return ""
    if cable.kind == "ritz":
        return "cables of modes are not"
    if what in ("guide_load", "guide_swivel", "guide_wrap"):
        # the turn of a pulley from which the elements leave at once belongs to no route; the load of the last guide is
        # the work of the elements too
        is_last = measured.guide == len(cable.via)
        if is_last and (what == "guide_load" or not cable.via):
            return f"where its elements begin, {what} is not known at every instant"
    if what == "tension_exit":
        return "of a cable of elements tension_anchor can be, and span_tension behind its pulley or guides"
    if what == "tension_anchor" and scenario.run.integrator in NONSMOOTH:
        return f"{scenario.run.integrator} knows impulses only; use radau"
    if what == "span_tension" and not (cable.pulley or cable.via):
        return "there is no rope behind the cable; watch tension_anchor"
    return ""
