"""Warnings: slips of a first scenario, such as millimetres, gravity upwards, a trolley that nothing moves."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from .geometry import cable_distances

MILLI = 1e-3  # a length that is too large is probably in millimetres [m/mm]
THICKEST = 0.5  # thicker ropes are reported [m]: the thickest made for cranes have about 0.15 m
EXCESS = 10.0  # a cable longer than this many times its way is reported
LONGEST = 1000.0  # a longer link of a crane is reported [m]


def find_slips(scenario: Any) -> Iterator[str]:
    """Yield one sentence for every number or omission that is probably a slip."""
    yield from _gravity(scenario)
    yield from _samples(scenario)
    yield from _ropes(scenario)
    if scenario.crane is not None:
        yield from _links(scenario.crane)
        yield from _idle(scenario)
    yield from _without_tension(scenario)


def _gravity(scenario: Any) -> Iterator[str]:
    if scenario.gravity[2] > 0.0:
        x, y, z = scenario.gravity
        yield (f"gravity: [{x:g}, {y:g}, {z:g}] m/s^2 pulls upwards, since z points up: did you mean "
               f"[{x:g}, {y:g}, {-z:g}]?")  # fmt: skip


def _samples(scenario: Any) -> Iterator[str]:
    run = scenario.run
    if run.save_every > run.duration:
        yield (f"run.save_every: {run.save_every:g} s is longer than the run of {run.duration:g} s: only its start "
               "and its end are kept; save_every is a time, not a number of samples")  # fmt: skip


def _ropes(scenario: Any) -> Iterator[str]:
    for cable, distance in zip(scenario.cables, cable_distances(scenario), strict=True):
        rope, radius = getattr(cable, "rope", None), getattr(cable, "radius", None)
        if rope is not None and rope.diameter > THICKEST:
            yield _in_metres(f"cable {cable.name}: rope.diameter", rope.diameter, "is no rope")
        elif radius is not None and 2.0 * radius > THICKEST:
            yield _in_metres(f"cable {cable.name}: radius", radius, "is no rope")
        if cable.length is not None and cable.length > EXCESS * max(distance, 1.0):
            reason = f"is {cable.length / max(distance, 1.0):.0f} times its way of {distance:.3g} m"
            yield _in_metres(f"cable {cable.name}: length", cable.length, reason)


def _in_metres(what: str, value: float, reason: str) -> str:
    return f"{what} = {value:g} m {reason}: lengths are in metres; did you mean {MILLI * value:g}?"


def _links(crane: Any) -> Iterator[str]:
    given, total = True, 0.0
    for i, link in enumerate(crane.links):
        name = link.name or f"links[{i}]"
        is_given = "length" in link.model_fields_set
        if not is_given and link.motion is None:
            yield f"crane link {name}: no length is given, so it is {link.length:g} m long"
        elif is_given and link.length > LONGEST:
            yield _in_metres(f"crane link {name}: length", link.length, "is longer than any crane's")
            given = False
        given = given and is_given
        total += link.length
    if given and 0.0 < crane.height < total:
        yield (f"crane: its links are {total:g} m long in all and the rail is at {crane.height:g} m: the load hangs "
               f"{total - crane.height:.3g} m below z = 0")  # fmt: skip


def _idle(scenario: Any) -> Iterator[str]:
    """A free trolley rolls as the load swings; where nothing swings either, its drive has been forgotten."""
    crane = scenario.crane
    carriers = [(name, carrier) for name in ("trolley", "bridge") if (carrier := getattr(crane, name)) is not None]
    is_moved = any(carrier.force is not None or carrier.motion is not None or carrier.velocity or carrier.spring
                   for _, carrier in carriers)  # fmt: skip
    swings = any(np.any(link.angle) or np.any(link.rate) or link.is_variable() for link in crane.links)
    disturbed = scenario.forces or scenario.failures or scenario.drivers or scenario.springs or scenario.cables
    shifted = crane.payload is not None and crane.payload.shift
    if not (is_moved or swings or disturbed or shifted or crane.grip()):
        yield "crane: nothing moves the trolley: give it a force or a motion, or a link an angle at the start"


def _without_tension(scenario: Any) -> Iterator[str]:
    """Ropes of drums that hold a load at rest, and have no tension to hold it with when the run starts."""
    initial = scenario.initial
    if initial.solve == "equilibrium" or initial.pretension is not None or not np.any(scenario.gravity):
        return
    bodies = scenario.all_bodies()
    drums = {name for name, driver in scenario.drivers.items() if driver.kind == "winch"}
    for cable in scenario.cables:
        held = [name for name in (cable.body, *(guide.body for guide in getattr(cable, "via", ()))) if name in bodies]
        free = [name for name in held if bodies[name].joint.kind in ("free", "planar", "point")]
        is_slack = cable.kind == "spring" and cable.length is None and getattr(cable, "pretension", None) is None
        if is_slack and free and cable.winch in drums:
            yield (f"cable {cable.name}: starts without tension, so that {free[0]} drops into it; "
                   "initial: {solve: equilibrium} lets everything start hanging at rest")  # fmt: skip
