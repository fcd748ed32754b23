"""Ropes: whether a cable has what is measured of it, and drums have nothing that only ropes without mass know."""

from collections.abc import Iterator
from typing import Any

from taut.scenario.errors import Problem

EVERY = ("tension_exit", "tension_anchor")  # measurements that cables of every kind have
LAGGING = ("radau", "explicit")  # integrators that can follow a motor with a lag
OF_DRUMS = ("drum_angle", "drum_speed", "drum_torque", "motor_torque", "encoder_angle", "encoder_length")
OF_ELEMENTS = ("length", "span_tension", *OF_DRUMS)


def find_rope_measures(scenario: Any, path: str, measurement: Any) -> Iterator[Problem]:
    """Yield what a measurement of a cable asks for in vain."""
    cable = next((own for own in scenario.cables if own.name == measurement.cable), None)
    what = measurement.quantity()
    if cable is None or what in EVERY:
        return
    known = OF_ELEMENTS if cable.kind == "mrfe" else EVERY if cable.kind == "ritz" else (what,)
    if what not in known:
        remedy = f"measure {', '.join({*EVERY, *known})}"
        yield scenario.problem(f"{path}.what", "is known of cables without mass alone", value=what, remedy=remedy)
        return
    winch = scenario.drivers.get(cable.winch or "")
    if what in OF_DRUMS and getattr(winch, "drum", None) is None:
        yield scenario.problem(f"{path}.what", f"{cable.name} has no drum", value=what)
    count = len(cable.via)
    for key, most in (("span", count + 1), ("guide", count)):
        number = getattr(measurement, key)
        if number is not None and number > most:
            yield scenario.problem(f"{path}.{key}", f"{cable.name} has {most} of them", value=number)
    if what == "guide_slip" and measurement.guide is not None and measurement.guide <= count:
        if not cable.via[measurement.guide - 1].rubs:
            yield scenario.problem(f"{path}.guide", "the cable does not slip there", value=measurement.guide)


def find_drum_problems(scenario: Any) -> Iterator[Problem]:
    """Yield keys of drums that a cable with mass does not follow."""
    for cable in scenario.cables:
        drum = getattr(scenario.drivers.get(cable.winch or ""), "drum", None)
        if drum is None:
            continue
        key = f"drivers.{cable.winch}.drum"
        if drum.layers is not None and drum.gearbox is not None and drum.gearbox.efficiency < 1.0:
            message, remedy = "do not go with a gearbox that loses", "use efficiency: 1, or no layers"
            yield scenario.problem(f"{key}.layers", message, remedy=remedy)
        if drum.motor is not None and drum.motor.lag > 0.0 and scenario.run.integrator not in LAGGING:
            message, remedy = f"goes with {' and '.join(LAGGING)} only", "choose one of them, or no lag"
            yield scenario.problem(f"{key}.motor.lag", message, value=drum.motor.lag, remedy=remedy)
        if cable.kind in ("spring", "ideal"):
            continue
        if drum.layers is not None and not cable.pulley and not cable.via:
            message = f"of the drum of {cable.name}, which has mass, go with a pulley or guides"
            yield scenario.problem(f"{key}.layers", message, remedy="give the cable a pulley, or no layers")
        for key in ("speed",):
            if getattr(drum, key):
                message, remedy = f"does not go with {cable.name}, which has mass", "leave it out, or use kind: spring"
                yield scenario.problem(f"drivers.{cable.winch}.drum.{key}", message, remedy=remedy)
        lossy = {"gearbox": drum.gearbox is not None and drum.gearbox.efficiency < 1.0,
                 "brake_delay": drum.brake_delay > 0.0, "brake_rise": drum.brake_rise > 0.0}  # fmt: skip
        for key in (key for key, is_given in lossy.items() if is_given and not cable.pulley and not cable.via):
            message = f"needs to know the tension of {cable.name} at the drum: that of a rope behind a pulley or guides"
            yield scenario.problem(f"drivers.{cable.winch}.drum.{key}", message, remedy="give the cable a pulley")
