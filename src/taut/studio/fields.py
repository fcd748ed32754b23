"""The main numbers of a scenario, found through its records: key, unit, meaning, limits, value."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic.fields import FieldInfo

from taut.scenario.base import Record
from taut.scenario.scenario import Scenario

MOST_BODIES = 12
SKIPPED = {"taut", "elements", "velocity_scale"}
# keys of cables; if all cables have the same number, it is one field for all of them
CABLE_KEYS = ("length", "radius", "mass_per_length", "density", "youngs_modulus", "damping", "axial_stiffness",
              "bending_stiffness", "axial_damping", "bending_damping", "elements")  # fmt: skip


@dataclass(frozen=True)
class NumberField:
    """One number that can be changed."""

    group: str  # heading in the page under which the field stands
    key: str  # last part of the key path
    paths: tuple[str, ...]  # key paths in the scenario; several when entries share the value
    value: float | int
    unit: str
    description: str
    low: float | None  # lower limit in the schema; None if there is none
    high: float | None
    is_open: bool  # whether the lower limit itself is not allowed

    @property
    def label(self) -> str:
        """Key with its unit."""
        return f"{self.key} [{self.unit}]" if self.unit else self.key

    def settings(self, text: str) -> list[str]:
        """The changes of a scenario that give the field this text, as for `--set`."""
        return [f"{path}={text}" for path in self.paths]


def find_fields(scenario: Scenario) -> list[NumberField]:
    """Numbers of the run, the platform, bodies and crane, the cables, their drivers and the ground, in this order."""
    found = [*_numbers(scenario.run, "run", "run")]
    if scenario.platform is not None:
        found += _body(scenario.platform, "platform", "platform")
    for name, body in list(scenario.bodies.items())[:MOST_BODIES]:
        found += _body(body, f"bodies.{name}", name)
    if scenario.crane is not None:
        found += _crane(scenario.crane)
    if scenario.robot is not None:
        # show the robot's own numbers: the cables and drivers made from it are not in the file
        found += _robot(scenario.robot)
    else:
        found += _cables(scenario)
        for name, driver in list(scenario.drivers.items())[:MOST_BODIES]:
            found += _driver(driver, f"drivers.{name}", name)
    if scenario.ground is not None:
        found += _numbers(scenario.ground, "ground", "ground")
    return found


def _body(body: Record, path: str, group: str) -> Iterator[NumberField]:
    """Mass, size of the shape, and the joint's own numbers."""
    yield from _numbers(body, path, group)
    for key in ("cylinder", "tube", "sphere", "rod", "joint"):
        part = getattr(body, key, None)
        if isinstance(part, Record):
            yield from _numbers(part, f"{path}.{key}", group)


def _crane(crane: Record) -> Iterator[NumberField]:
    """Numbers of a crane: height, what runs on rails, and every link or rope by its name or number."""
    yield from _numbers(crane, "crane", "crane")
    for key in ("trolley", "bridge", "payload"):
        part = getattr(crane, key, None)
        if isinstance(part, Record):
            yield from _numbers(part, f"crane.{key}", key)
    for key in ("links", "ropes"):
        for k, part in enumerate(getattr(crane, key)[:MOST_BODIES]):
            group = getattr(part, "name", None) or f"{key[:-1]} {k + 1}"
            yield from _numbers(part, f"crane.{key}[{k}]", group)


def _robot(robot: Record) -> Iterator[NumberField]:
    """Numbers of a robot's pulleys and drums, and of what leads them."""
    yield from _numbers(robot, "robot", "robot")
    for key in ("pulley", "drum", "servo", "tensions"):
        part = getattr(robot, key, None)
        if isinstance(part, Record):
            yield from _numbers(part, f"robot.{key}", key)


def _driver(driver: Record, path: str, group: str) -> Iterator[NumberField]:
    """A driver's own numbers, and those of its drum."""
    yield from _numbers(driver, path, group)
    drum = getattr(driver, "drum", None)
    if isinstance(drum, Record):
        yield from _numbers(drum, f"{path}.drum", group)


def _cables(scenario: Scenario) -> Iterator[NumberField]:
    """Numbers that all cables share, as one field each; others cable by cable."""
    for key in CABLE_KEYS:
        values = [getattr(cable, key, None) for cable in scenario.cables]
        paths = [f"cables[{k}].{key}" for k in range(len(values))]
        if not values or any(not _is_number(value) for value in values):
            continue
        info = type(scenario.cables[0]).model_fields[key]
        if len(set(values)) == 1:
            yield _field("cables", key, tuple(paths), values[0], info)
        else:
            for cable, path, value in zip(scenario.cables, paths, values, strict=True):
                yield _field("cables", f"{cable.name} {key}", (path,), value, info)


def _numbers(record: Record, path: str, group: str) -> Iterator[NumberField]:
    for key, info in type(record).model_fields.items():
        value = getattr(record, key)
        if _is_number(value) and key not in SKIPPED:
            yield _field(group, key, (f"{path}.{key}",), value, info)


def _field(group: str, key: str, paths: tuple[str, ...], value: Any, info: FieldInfo) -> NumberField:
    extra = info.json_schema_extra
    unit = str(extra.get("unit", "")) if isinstance(extra, dict) else ""
    low, high, is_open = _limits(info)
    return NumberField(group, key, paths, value, unit, info.description or "", low, high, is_open)


def _limits(info: FieldInfo) -> tuple[float | None, float | None, bool]:
    """Lower and upper limit that the schema states, and whether the lower one is excluded."""
    low = high = None
    is_open = False
    for rule in _rules(info):
        if getattr(rule, "gt", None) is not None and (low is None or rule.gt >= low):
            low, is_open = float(rule.gt), True
        if getattr(rule, "ge", None) is not None and (low is None or rule.ge > low):
            low, is_open = float(rule.ge), False
        for name in ("le", "lt"):
            if getattr(rule, name, None) is not None:
                high = float(getattr(rule, name))
    return low, high, is_open


def _rules(info: FieldInfo) -> Iterator[Any]:
    """Every rule of a field: its own, and those of the members of a union such as `Positive | None`."""
    yield from info.metadata
    waiting = [info.annotation]
    while waiting:
        annotation = waiting.pop()
        for rule in getattr(annotation, "__metadata__", ()):
            yield from getattr(rule, "metadata", ())
            yield rule
        waiting += list(getattr(annotation, "__args__", ()))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
