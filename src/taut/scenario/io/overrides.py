"""`--set key.path=value`: changes to a scenario's mapping before it is checked."""

import copy
import re
from typing import Any

from taut.scenario.errors import Problem, ScenarioError, suggest

from .source import Path, Source, join_path, split_path

PATH = re.compile(r"[^.\[\]=]+(\[\d+\])*(\.[^.\[\]=]+(\[\d+\])*)*")


def with_overrides(data: Any, settings: list[str], source: Source | None = None) -> Any:
    """Return a copy of the mapping with settings such as `cables[0].length=0.8` or `cables.C1.length=0.8` applied.

    Args:
        data: mapping as read from YAML, before `defaults` are merged; left as it is.
        settings: texts `path=value`; the value is YAML, a list entry is named by its number or by its `name`.
        source: if given, it learns which paths were set here, so that errors say so.
    """
    data = copy.deepcopy(data)
    for setting in settings:
        path = _apply(data, setting)
        if source is not None:
            source.overrides.add(path)
    return data


def _apply(data: Any, setting: str) -> Path:
    from .yaml_text import read_yaml

    key, equals, text = setting.partition("=")
    if not equals or not PATH.fullmatch(key.strip()):
        raise _error(setting, "must have the form key.path=value", "for example run.duration=2 or cables[0].length=0.8")
    value, _ = read_yaml(text, f"--set {key}")
    return put(data, split_path(key.strip()), value, setting)


def put(data: Any, steps: Path, value: Any, setting: str) -> Path:
    """Set one entry of the mapping in place; return its path with names of list entries as numbers.

    Args:
        data: mapping as read from YAML.
        steps: keys on the way; a list entry is named by its number or by its `name`.
        value: what is put there.
        setting: what the user wrote, for messages.
    """
    path: list[Any] = []
    here = data
    if steps[1:] and steps[0] == "cables" and data.get("robot") and not data.get("cables"):
        remedy = "change all by robot.cable; for one rope with properties of its own write the ropes under cables"
        raise _error(setting, "the ropes of robot are described together", remedy)
    for step, after in zip(steps, steps[1:], strict=False):
        step = _entry(here, step, path, setting)
        if isinstance(here, dict) and here.get(step) is None:
            if isinstance(after, int):
                raise _error(setting, f"{join_path((*path, step))} is not there, so it has no entry {after}")
            here[step] = {}
        here = here[step]
        path.append(step)
    last = _entry(here, steps[-1], path, setting)
    here[last] = value
    return (*path, last)


def _entry(here: Any, step: str | int, path: list[Any], setting: str) -> str | int:
    """Return the key or number of the entry that a step of the path means."""
    if isinstance(here, dict) and isinstance(step, str):
        return step
    if isinstance(here, list):
        return _list_entry(here, step, path, setting)
    what = "is a mapping: name a key, not a number" if isinstance(here, dict) else "is neither a mapping nor a list"
    raise _error(setting, f"{join_path(tuple(path)) or 'the scenario'} {what}")


def _list_entry(here: list[Any], step: str | int, path: list[Any], setting: str) -> int:
    names = [str(entry.get("name")) if isinstance(entry, dict) else "" for entry in here]
    if isinstance(step, int) and step < len(here):
        return step
    if step in names:
        return names.index(str(step))
    known = suggest(step, [name for name in names if name]) if isinstance(step, str) else f"it has {len(here)}, from 0"
    raise _error(setting, f"{join_path(tuple(path))} has no entry {step}", known)


def _error(setting: str, message: str, remedy: str = "") -> ScenarioError:
    return ScenarioError([Problem(message, setting, remedy=remedy, source="--set")])
