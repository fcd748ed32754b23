"""A scenario with other numbers: only the records on the way to a changed value are made and checked again.

An address is a key path of the scenario, such as `platform.mass`, `cables.C1.length` or `platform.position[2]`: entries
of lists are named, or numbered from 0, and a star stands for all of them: `cables.*.radius`. The scenario is the one
with its `defaults` merged into the records, as a result shows it.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

from pydantic import BaseModel, ValidationError

from taut.scenario.checks.stages import find_problems
from taut.scenario.errors import Problem, ScenarioError, suggest
from taut.scenario.io.source import Path, Source, join_path, split_path
from taut.scenario.io.translate import problems_from
from taut.scenario.robot_again import SOURCES, with_parts_anew
from taut.scenario.scenario import Scenario

Tree = dict[str | int, Any]  # a changed value, or a tree of the changes inside a value, by key or number


class Value:
    """A leaf of the tree of changes."""

    def __init__(self, value: Any) -> None:
        """Keep the new value."""
        self.value = value


def with_changes(scenario: Scenario, changes: Mapping[str, Any]) -> Scenario:
    """Return the scenario with other values at some addresses, checked as a whole.

    Args:
        scenario: is left as it is.
        changes: by address; a value is as it would stand in the file.

    Raises:
        ScenarioError: there is no such address, or a value that cannot stand there; names the address.
    """
    tree = tree_of(expanded(scenario, changes))
    fields = {str(key): _changed_field(scenario, key, part) for key, part in _known(scenario, tree, ()).items()}
    found = scenario.model_copy(update=fields)
    if scenario.robot is not None and found.robot is not None and SOURCES & set(fields):
        found = with_parts_anew(scenario, found)
    problems = find_problems(found, scenario)
    if problems:
        raise ScenarioError(problems)
    return found


def expanded(scenario: Scenario, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes with an address for each entry that a star stands for."""
    found: dict[str, Any] = {}
    for address, value in changes.items():
        group, star, rest = address.partition(".*")
        entries = getattr(scenario, group, None) if star else None
        if not star:
            found[address] = value
        elif isinstance(entries, dict) and entries:
            found |= {f"{group}.{name}{rest}": value for name in entries}
        elif isinstance(entries, tuple) and entries:
            found |= {f"{group}[{k}]{rest}": value for k in range(len(entries))}
        else:
            raise ScenarioError([Problem("there is nothing that the star could stand for", address)])
    return found


def tree_of(changes: Mapping[str, Any]) -> Tree:
    """Return the changes by steps of their addresses."""
    tree: Tree = {}
    for address, value in changes.items():
        steps, here = split_path(address), tree
        if not steps:
            raise ScenarioError([Problem("is no address of a value", address)])
        for step in steps[:-1]:
            here = here.setdefault(step, {})
            if not isinstance(here, dict):
                raise ScenarioError([Problem("is changed twice: as a whole and in part", address)])
        if steps[-1] in here:
            raise ScenarioError([Problem("is changed twice", address)])
        here[steps[-1]] = Value(value)
    return tree


def _changed_field(scenario: Scenario, key: str | int, part: Any) -> Any:
    """Return a field of the scenario with what changes inside, checked."""
    old = getattr(scenario, str(key), None)
    found = _changed(old, part, (key,), scenario)
    # entries of its lists and mappings that are exchanged as a whole belong to no record that would check them
    has_whole = not isinstance(old, BaseModel) and isinstance(part, dict) and any(
        isinstance(inner, Value) for inner in part.values())  # fmt: skip
    return _checked_field(scenario, (key,), found) if has_whole else found


def _changed(old: Any, part: Any, path: Path, scenario: Scenario) -> Any:
    """Return a value with what changes inside."""
    if isinstance(part, Value):
        # a field of the scenario itself is checked here; those inside are checked with the record they belong to
        return part.value if len(path) > 1 else _checked_field(scenario, path, part.value)
    if isinstance(old, BaseModel):
        new = {key: _changed(getattr(old, str(key)), inner, (*path, key), scenario)
               for key, inner in _known(old, part, path).items()}  # fmt: skip
        return _validated(old, new, path, scenario)
    if isinstance(old, dict):
        _look_up(part, [str(key) for key in old], path)
        return old | {key: _changed(old[key], inner, (*path, key), scenario) for key, inner in part.items()}
    if isinstance(old, tuple | list):
        entries = list(old)
        for key, inner in part.items():
            k = _number(old, key, path)
            entries[k] = _changed(old[k], inner, (*path, k), scenario)
        return tuple(entries)
    what = "is not given, so nothing inside of it can change" if old is None else "is a value without parts"
    raise ScenarioError([Problem(what, join_path(path), remedy="name the whole of it")])


def _checked_field(scenario: Scenario, path: Path, value: Any) -> Any:
    """Return a field of the scenario itself, checked alone."""
    try:
        validated = Scenario.model_validate({"taut": 1, "name": "-", path[0]: value}, context=_context(scenario))
    except ValidationError as error:
        raise ScenarioError(_problems(error, Scenario, {path[0]: value}, (), scenario)) from None
    return getattr(validated, str(path[0]))


def _validated(old: BaseModel, new: dict[Any, Any], path: Path, scenario: Scenario) -> BaseModel:
    """Return a record with some fields exchanged, checked by its own rules; what is inside was checked before."""
    data = {key: getattr(old, key) for key in old.model_fields_set} | {str(key): value for key, value in new.items()}
    try:
        return type(old).model_validate(data, context=_context(scenario))
    except ValidationError as error:
        raise ScenarioError(_problems(error, type(old), data, path, scenario)) from None


def _context(scenario: Scenario) -> dict[str, Any]:
    return {"folder": FilePath(scenario.source.name).parent}


def _problems(error: ValidationError, kind: Any, data: Any, path: Path, scenario: Scenario) -> list[Problem]:
    """Return the problems of a record, at the key path of the scenario."""
    found = problems_from(error.errors(include_url=False), kind, data, Source())
    return [replace(problem, path=join_path((*path, *split_path(problem.path)))) for problem in found]


def _known(record: BaseModel, part: Tree, path: Path) -> Tree:
    """Return the tree of a record; a key that it does not know is an error."""
    _look_up(part, list(type(record).model_fields), path)
    return part


def _look_up(part: Tree, known: list[str], path: Path) -> None:
    for key in part:
        if key not in known:
            where = join_path((*path, key))
            raise ScenarioError([Problem("there is no such key", where, remedy=suggest(str(key), known))])


def _number(entries: Any, key: str | int, path: Path) -> int:
    """Return the number of an entry of a list that is named or numbered."""
    names = [getattr(entry, "name", None) for entry in entries]
    if key in names:
        return names.index(key)
    if str(key).isdecimal() and int(key) < len(entries):
        return int(key)
    known = suggest(str(key), [name for name in names if name]) or f"it has {len(entries)}, numbered from 0"
    raise ScenarioError([Problem("there is no such entry", join_path((*path, key)), remedy=known)])
