"""A thousand random flights and swings against planes, tethers and ideal cables: the first crossing, or none.

The times are closed forms (``event_times``). Runs last from 1 to 1000 s; free flights and uniform turns have no
integration error, so that single steps are as long as hundreds of seconds and hold the whole crossing.
"""

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from taut.build import build
from taut.integrate.run.bare import integrate
from taut.integrate.simulate import simulate
from taut.integrate.status import AT_EVENT
from taut.scenario.builder import Machine
from taut.verify.quantity import Quantity, at_most
from taut.verify.trust.event_cases import (
    OVERLAP,
    SPRING,
    Crossing,
    Draw,
    flight_cable,
    flight_plane,
    log_uniform,
    tumbling_corner,
    tumbling_ground,
)
from taut.verify.trust.event_swings import carriage, spin_tether, swing_cable, swing_plane

IDEAL = {"kind": "ideal"}
FAMILIES: dict[str, tuple[int, Callable[[Draw], Crossing | None]]] = {
    "flight, plane": (150, flight_plane),
    "flight, tether": (150, flight_cable(SPRING, 0.0)),
    "flight, ideal cable": (150, flight_cable(IDEAL, OVERLAP)),
    "tumbling cube, plane": (100, tumbling_corner),
    "tumbling cube, ground": (75, tumbling_ground),
    "arm on a carriage, plane": (75, carriage),
    "spinning arm, tether": (50, spin_tether),
    "swing, plane": (100, swing_plane),
    "swing, tether": (75, swing_cable(SPRING)),
    "swing, ideal cable": (75, swing_cable(IDEAL)),
}
SEED = 15
LIMIT = 1e-8  # allowed error of an event's time [s]
SOURCE = "closed form: polynomials, circular and elliptic functions"


def quantities() -> Iterator[Quantity]:
    """Quantities of all families of events."""
    for name, (count, _) in FAMILIES.items():
        yield from family(name, count)
    yield from both_ways(60)


def cases(name: str, count: int) -> Iterator[Crossing]:
    """The first cases of a family."""
    draw = np.random.default_rng([SEED, *name.encode()])
    while count:
        found = FAMILIES[name][1](draw)
        if found is not None:
            count -= 1
            yield found


def family(name: str, count: int) -> Iterator[Quantity]:
    """Counts of missed and invented events of a family, and the largest error of the times of the others."""
    outcomes: Counter[str] = Counter()
    largest = 0.0
    for case in cases(name, count):
        outcome, error = judge(case)
        outcomes[outcome] += 1
        largest = max(largest, error)
    crossing = outcomes["found"] + outcomes["missed"]
    yield at_most(f"{name}: missed of {crossing}", outcomes["missed"], 0, SOURCE)
    yield at_most(f"{name}: invented of {count - crossing}", outcomes["invented"], 0, SOURCE)
    yield at_most(f"{name}: largest error of a time", largest, LIMIT, SOURCE, "s")


def judge(case: Crossing) -> tuple[str, float]:
    """Whether the first crossing was found, and how far off in time [s]."""
    settings = {"duration": case.duration, "save_every": case.duration, **case.settings}
    run = integrate(build(case.machine.run(**settings).scenario()))
    is_found, is_there = run.code == AT_EVENT, bool(np.isfinite(case.time))
    if is_found and is_there:
        error = abs(run.time - case.time)
        # an error that large means that the event found belongs to another crossing
        return ("found", error) if error < 1e-3 * max(case.time, 1.0) else ("missed", 0.0)
    return {(False, True): "missed", (True, False): "invented", (False, False): "none"}[is_found, is_there], 0.0


def both_ways(count: int) -> Iterator[Quantity]:
    """A mass thrown up passes a level just below the top of its path twice, within 1e-4 s to 0.1 s."""
    draw = np.random.default_rng([SEED, count])
    missed, largest = 0, 0.0
    for _ in range(count):
        times, found = up_and_down(draw)
        missed += abs(len(times) - len(found))
        if len(times) == len(found):
            largest = max(largest, float(np.abs(np.subtract(times, found)).max()))
    yield at_most(f"up and down: passings missed of {2 * count}", missed, 0, SOURCE)
    yield at_most("up and down: largest error of a time", largest, LIMIT, SOURCE, "s")


def up_and_down(draw: Draw) -> tuple[list[float], list[float]]:
    """Times of both crossings of a level, expected and found."""
    speed, apart = draw.uniform(2.0, 20.0), log_uniform(draw, 1e-4, 0.1)
    top, depth = speed / 9.81, 9.81 * apart**2 / 8.0
    machine = Machine("thrown")
    machine.body("mass", mass=1.0, joint={"kind": "prismatic", "axis": [0, 0, 1], "velocity": speed})
    machine.event("level", body="mass", value=0.5 * speed * top - depth)
    result = simulate(build(machine.run(duration=log_uniform(draw, 5.0, 1000.0), save_every=5.0).scenario()))
    return [top - 0.5 * apart, top + 0.5 * apart], [event["time"] for event in result.events]
