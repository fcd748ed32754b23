"""Units of what controllers measure and command, from where the signals are used."""

from typing import Any

from .command import SignalCommand

TURNS = ("revolute", "universal", "spherical")
UNIT_OF_WHAT = {
    "position": "m",
    "velocity": "m/s",
    "acceleration": "m/s^2",
    "orientation": "1",
    "angular_velocity": "rad/s",
    "force": "N",
    "tension_exit": "N",
    "tension_anchor": "N",
    "length": "m",
    "span_tension": "N",
    "guide_load": "N",
    "guide_wrap": "rad",
    "guide_swivel": "rad",
    "guide_slip": "m",
    "drum_angle": "rad",
    "drum_speed": "rad/s",
    "drum_torque": "N m",
    "motor_torque": "N m",
    "encoder_angle": "rad",
    "encoder_length": "m",
}
TURNED = {"m": "rad", "m/s": "rad/s", "m/s^2": "rad/s^2", "N": "N m"}
PER_TIME = {"value": "", "ramp": "", "rate": "/s", "acceleration": "/s^2"}


def measurement_units(scenario: Any) -> dict[str, str]:
    """Return the unit of every measurement; none where its components differ."""
    bodies = scenario.all_bodies()
    found = {}
    for name, spec in scenario.measurements.items():
        unit = UNIT_OF_WHAT[spec.quantity()]
        if spec.owner() == "joint" and spec.joint in bodies:
            unit = of_joint(bodies[spec.joint].joint.kind, unit)
        found[name] = "" if spec.owner() == "machine" else unit
    return found


def command_units(scenario: Any) -> dict[str, str]:
    """Return the unit of every command; none where nothing, or only an expression, uses it as it is."""
    used: dict[str, set[str]] = {}
    for unit, value in _uses(scenario):
        for spec in value if isinstance(value, tuple) else (value,):
            if isinstance(spec, str):
                used.setdefault(spec, set()).add(unit)
    found = {}
    for name, spec in scenario.signals.items():
        if isinstance(spec, SignalCommand):
            units = used.get(name, set())
            unit = units.pop() if len(units) == 1 else ""
            found[name] = f"{unit}{PER_TIME[spec.acts]}" if unit else ""
    return found


def of_joint(kind: str, unit: str) -> str:
    """Return the unit of a joint's coordinate, or of its force, given that of a slide."""
    if kind in TURNS:
        return TURNED.get(unit, unit)
    return unit if kind == "prismatic" else ""


def _uses(scenario: Any) -> Any:
    """Units and signals of everything that a command can drive."""
    for body in scenario.all_bodies().values():
        yield of_joint(body.joint.kind, "N"), body.joint.force
        yield of_joint(body.joint.kind, "m"), body.joint.motion
    for driver in scenario.drivers.values():
        for key in driver.signal_keys():
            extra = type(driver).model_fields[key].json_schema_extra
            yield (extra or {}).get("unit", ""), getattr(driver, key)
        if driver.kind == "winch" and driver.drum is not None:
            yield "N m", driver.drum.torque
            for key in driver.drum.motor.given() if driver.drum.motor is not None else ():
                yield UNIT_OF_WHAT[f"drum_{key}"], getattr(driver.drum.motor, key)
    for cable in scenario.cables:
        yield from (("m", value) for value in cable.signals().values())
    for force in scenario.forces:
        yield from (("N", force.force), ("N m", force.torque))
