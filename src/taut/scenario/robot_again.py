"""Cables, winches and controllers of a robot when numbers change on which they depend.

The record `robot` is put into its parts once, when a scenario is read. A number that is changed afterwards, such as the
mass of the body that the ropes hold, may change these parts too. They are made anew; a part that is no longer as the
robot makes it, because the user changed it, stays as it is.
"""

from collections.abc import Mapping
from typing import Any

from taut.scenario.io.robot_parts import with_robot
from taut.scenario.scenario import Scenario

# groups of the scenario that the parts of a robot depend on
SOURCES = frozenset({"robot", "platform", "bodies", "gravity", "initial", "planar"})
PARTS = ("signals", "drivers", "measurements", "controllers", "cables")


def with_parts_anew(old: Scenario, changed: Scenario) -> Scenario:
    """Return the changed scenario with the parts of its robot that the change concerns made anew."""
    before, after = parts_of(old), parts_of(changed)
    updates = {}
    for group in PARTS:
        names = {name for name in {*before[group], *after[group]} if before[group].get(name) != after[group].get(name)}
        if names:
            made = [records_of(group, {name: parts[group][name] for name in names if name in parts[group]})
                    for parts in (before, after)]  # fmt: skip
            updates[group] = exchanged(getattr(changed, group), *made)
    return changed.model_copy(update=updates)


def parts_of(scenario: Scenario) -> dict[str, dict[str, Any]]:
    """What the robot stands for, by group and name, as mappings."""
    assert scenario.robot is not None
    data = {"robot": scenario.robot, "platform": scenario.platform, "bodies": scenario.bodies,
            "gravity": scenario.gravity, "initial": {"pretension": scenario.initial.pretension},
            "planar": scenario.planar}  # fmt: skip
    found = with_robot(data)
    named = {group: dict(found[group]) for group in PARTS if group != "cables"}
    return named | {"cables": {cable["name"]: cable for cable in found["cables"]}}


def records_of(group: str, parts: Mapping[str, Any]) -> dict[str, Any]:
    """Parts of one group as checked records, by name."""
    given = list(parts.values()) if group == "cables" else dict(parts)
    found = getattr(Scenario.model_validate({"taut": 1, "name": "-", group: given}), group)
    return {cable.name: cable for cable in found} if group == "cables" else found


def exchanged(entries: Any, before: Mapping[str, Any], after: Mapping[str, Any]) -> Any:
    """A group in which new records stand for those that are as they were made before."""
    is_list = isinstance(entries, tuple)
    known = {entry.name: entry for entry in entries} if is_list else dict(entries)
    for name in {**before, **after}:
        if known.get(name) == before.get(name):
            known.pop(name, None) if name not in after else known.update({name: after[name]})
    return tuple(known.values()) if is_list else known
