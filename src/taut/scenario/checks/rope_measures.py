"""Ropes: whether a cable has what is measured of it, and drums have nothing that only ropes without mass know."""

from collections.abc import Iterator
from typing import Any

from taut.scenario.errors import Problem, suggest

EVERY = ("tension_exit", "tension_anchor")  # measurements that cables of every kind have
LAGGING = ("radau", "explicit")  # integrators that can follow a motor with a lag
OF_DRUMS = ("drum_angle", "drum_speed", "drum_torque", "motor_torque", "encoder_angle", "encoder_length")
OF_GUIDES = ("guide_load", "guide_wrap", "guide_swivel")
OF_ELEMENTS = ("length", "span_tension", *OF_GUIDES, *OF_DRUMS)


def find_rope_measures(scenario: Any, path: str, measurement: Any) -> Iterator[Problem]:
    """Yield quantities that a measured cable does not have."""
    cable = next((own for own in scenario.cables if own.name == measurement.cable), None)
    what = measurement.quantity()
    if cable is None or what in EVERY:
        return
    known = OF_ELEMENTS if cable.kind == "mrfe" else EVERY if cable.kind == "ritz" else (what,)
    if what not in known:
        remedy = f"measure {', '.join({*EVERY, *known})}"
        yield scenario.problem(f"{path}.what", "is known of cables without mass alone", value=what, remedy=remedy)
        return
    name = cable.winch if measurement.end == "exit" else getattr(cable, "anchor_winch", None)
    if what in OF_DRUMS and getattr(scenario.drivers.get(name or ""), "drum", None) is None:
        yield scenario.problem(f"{path}.what", f"{cable.name} has no drum at its {measurement.end}", value=what)
    count = len(cable.via)
    if measurement.guide == 0 and (cable.pulley is None or what == "guide_slip"):
        message = "the rope does not slip on the pulley" if cable.pulley is not None else f"{cable.name} has no pulley"
        yield scenario.problem(f"{path}.guide", message, value=0, remedy="count guides from 1")
        return
    for key, most in (("span", count + 1), ("guide", count)):
        number = getattr(measurement, key)
        if number is not None and number > most:
            yield scenario.problem(f"{path}.{key}", f"{cable.name} has {most} of them", value=number)
    if what == "guide_slip" and measurement.guide is not None and measurement.guide <= count:
        if not cable.via[measurement.guide - 1].rubs:
            yield scenario.problem(f"{path}.guide", "the cable does not slip there", value=measurement.guide)


def find_drum_problems(scenario: Any) -> Iterator[Problem]:
    """Yield keys of drums that a cable does not follow, and drums that several cables cannot share."""
    for i, cable in enumerate(scenario.cables):
        yield from _ends(scenario, f"cables[{i}]", cable)
        yield from _unknown_to(scenario, cable)
    for name, winch in scenario.drivers.items():
        if getattr(winch, "drum", None) is not None:
            yield from _shared(scenario, name, winch.drum)


def _unknown_to(scenario: Any, cable: Any) -> Iterator[Problem]:
    """Keys of a drum that its cable does not follow."""
    drum = getattr(scenario.drivers.get(cable.winch or ""), "drum", None)
    if drum is None:
        return
    key = f"drivers.{cable.winch}.drum"
    if drum.layers is not None and drum.gearbox is not None and drum.gearbox.efficiency < 1.0:
        message, remedy = "do not go with a gearbox that loses", "use efficiency: 1, or no layers"
        yield scenario.problem(f"{key}.layers", message, remedy=remedy)
    if drum.motor is not None and drum.motor.lag > 0.0 and scenario.run.integrator not in LAGGING:
        message, remedy = f"goes with {' and '.join(LAGGING)} only", "choose one of them, or no lag"
        yield scenario.problem(f"{key}.motor.lag", message, value=drum.motor.lag, remedy=remedy)
    if cable.kind in ("spring", "ideal"):
        return
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


def _ends(scenario: Any, path: str, cable: Any) -> Iterator[Problem]:
    """Yield what drums at both ends of a cable cannot have."""
    drum = getattr(scenario.drivers.get(cable.winch or ""), "drum", None)
    other = getattr(cable, "anchor_winch", None)
    if other is not None:
        if other not in scenario.drivers:
            remedy = suggest(other, list(scenario.drivers)) or "the scenario has no driver"
            yield scenario.problem(
                f"{path}.anchor_winch", "there is no driver of this name", value=other, remedy=remedy
            )
        elif getattr(scenario.drivers[other], "drum", None) is None:
            remedy = "give it a drum, or prescribe the length at the exit"
            yield scenario.problem(f"{path}.anchor_winch", "has no drum", value=other, remedy=remedy)
        elif other == cable.winch:
            remedy = "two drums that turn together are two winches; for one wound to and fro use two cables"
            yield scenario.problem(f"{path}.anchor_winch", "is that of the exit", value=other, remedy=remedy)
    if cable.winding == "backward" and drum is None and not other:
        yield scenario.problem(f"{path}.winding", "is for cables on drums", value=cable.winding)
    if drum is not None and drum.axis is not None and cable.pulley is not None:
        remedy = "let the rope leave the drum from a point, and run over a sheave (via)"
        yield scenario.problem(f"{path}.pulley", "does not travel along a drum with an axis", remedy=remedy)


def _shared(scenario: Any, name: str, drum: Any) -> Iterator[Problem]:
    """What a drum with several cables, or one that is wound backward, cannot have."""
    on = [cable for cable in scenario.cables if name in (cable.winch, getattr(cable, "anchor_winch", None))]
    bare = [cable for cable in on if cable.kind == "mrfe" and not cable.pulley and not cable.via]
    path = f"drivers.{name}.drum"
    if bare and (len(on) > 1 or bare[0].winding == "backward"):
        what = "shares it with others" if len(on) > 1 else "is wound backward"
        message = f"{bare[0].name}, which has mass and leaves the drum at once, {what}"
        yield scenario.problem(path, message, remedy="lead it over a pulley or guide, or use kind: spring")
    if bare and drum.axis is not None:
        message = f"{bare[0].name}, which has mass, leaves the drum at once, and cannot travel along it"
        yield scenario.problem(f"{path}.axis", message, remedy="lead it over a guide (via), or use kind: spring")
    if len(on) > 1 and drum.gearbox is not None and drum.gearbox.efficiency < 1.0:
        message = f"with losses goes with one cable, and {len(on)} run on this drum"
        yield scenario.problem(f"{path}.gearbox.efficiency", message, value=drum.gearbox.efficiency,
                               remedy="use 1, or give the drum friction")  # fmt: skip
    if drum.axis is not None and drum.gearbox is not None and drum.gearbox.efficiency < 1.0:
        message = "with losses does not go with a rope that travels along its drum"
        yield scenario.problem(f"{path}.gearbox.efficiency", message, value=drum.gearbox.efficiency,
                               remedy="use 1, or leave axis and pitch out")  # fmt: skip
    led = [key for key, own in scenario.controllers.items() if own.kind in ("cable-length", "cable-tension")
           and any(cable.name in own.commands for cable in on)]  # fmt: skip
    if drum.axis is not None and led:
        message = f"does not go with the controller {led[0]}, which takes the exits to stay"
        yield scenario.problem(f"{path}.axis", message, remedy="leave axis and pitch out")
