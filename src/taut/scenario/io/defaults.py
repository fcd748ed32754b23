"""Merging of `defaults` into the records they stand for, before anything is checked."""

from collections.abc import Iterator, Mapping
from typing import Any

from taut.scenario.base import fault
from taut.scenario.cables.cable import cable_keys, kind_of
from taut.scenario.errors import suggest

from .source import Path

SECTIONS = ("cable", "body", "joint")
# alternative ways to give the same property: a record that uses one of them gets no default of another
BY_SECTION = {"axial_stiffness", "bending_stiffness", "axial_damping", "bending_damping"}
ALTERNATIVES: dict[str, list[list[set[str]]]] = {
    "cable": [[{"mass_per_length"}, {"density"}], [{"youngs_modulus", "damping"}, BY_SECTION, {"element"}]],
    "body": [
        [{"mass"}, {"density"}, {"massless"}],
        [{"inertia"}, {"box"}, {"cylinder"}, {"tube"}, {"sphere"}, {"rod"}],
    ],
    "joint": [],
}


def merge_defaults(data: Any) -> tuple[Any, dict[Path, Path]]:
    """Return the scenario's mapping with `defaults` merged in and left out, and the origin of each merged value.

    A key given in the record itself wins, also over a default that says the same in another way (mass and density); a
    default is taken or left as a whole, not merged further. A cable of another kind than the defaults' takes what its
    kind knows.
    """
    if not isinstance(data, Mapping) or "defaults" not in data:
        return data, {}
    defaults = data["defaults"] or {}
    _check_sections(defaults)
    merged = _copy({key: value for key, value in data.items() if key != "defaults"})
    origins: dict[Path, Path] = {}
    for section in SECTIONS:
        if defaults.get(section):
            for path, record in list(_records(merged, section)):
                _fill(record, defaults[section], path, section, origins)
    return merged, origins


def _check_sections(defaults: Any) -> None:
    if not isinstance(defaults, Mapping):
        raise fault("must be a mapping with the keys cable, body, joint", at="defaults")
    for section, record in defaults.items():
        if section not in SECTIONS:
            raise fault("unknown key", at=f"defaults.{section}", remedy=suggest(section, list(SECTIONS)))
        if record is not None and not isinstance(record, Mapping):
            raise fault("must be a mapping", at=f"defaults.{section}")


def _records(data: dict[str, Any], section: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield path and mapping of every record the section applies to; malformed records are left to validation."""
    if section == "cable":
        cables = data.get("cables")
        entries = enumerate(cables) if isinstance(cables, list) else ()
        found: list[tuple[Path, Any]] = [(("cables", index), cable) for index, cable in entries]
    else:
        bodies = data.get("bodies")
        found = [(("bodies", name), body) for name, body in bodies.items()] if isinstance(bodies, dict) else []
        found.append((("platform",), data.get("platform")))
    if section == "joint":
        found = [
            ((*path, "joint"), body["joint"]) for path, body in found if isinstance(body, dict) and "joint" in body
        ]
    yield from ((path, record) for path, record in found if isinstance(record, dict))


def _fill(
    record: dict[str, Any], defaults: Mapping[str, Any], path: Path, section: str, origins: dict[Path, Path]
) -> None:
    given = set(record)
    known = _known_keys(record, defaults) if section == "cable" else None
    for key, value in defaults.items():
        if known is not None and key not in known:
            continue
        if key not in given and not _replaced(key, given, section):
            record[key] = _copy(value)
            origins[(*path, key)] = ("defaults", section, key)


def _known_keys(record: dict[str, Any], defaults: Mapping[str, Any]) -> set[str] | None:
    """Return the keys that a cable can take from defaults of another kind; None, for all keys, if the kinds agree."""
    kind = record.get("kind", kind_of(defaults))
    return None if kind == kind_of(defaults) else cable_keys().get(kind) if isinstance(kind, str) else None


def _replaced(key: str, given: set[str], section: str) -> bool:
    """Return whether the record says in another way what this key would say."""
    groups = [group for group in ALTERNATIVES[section] if any(key in way for way in group)]
    return any(way & given for group in groups for way in group if key not in way)


def _copy(value: Any) -> Any:
    """Copy nested mappings and lists, so that the caller's data stay as they are."""
    if isinstance(value, Mapping):
        return {key: _copy(entry) for key, entry in value.items()}
    return [_copy(entry) for entry in value] if isinstance(value, list | tuple) else value
