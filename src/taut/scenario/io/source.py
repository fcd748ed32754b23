"""Where every part of a scenario came from: file and line, also through `defaults` and `--set`."""

import re
from dataclasses import dataclass, field
from typing import Any

Path = tuple[str | int, ...]
STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


@dataclass
class Source:
    """Origin of a scenario's parts.

    Attributes:
        name: file name shown in messages; empty for scenarios made in Python.
        lines: line of every key and list entry, by path.
        origins: path under `defaults` that a merged-in value came from, by the path it went to.
        overrides: paths set on the command line.
    """

    name: str = ""
    lines: dict[Path, int] = field(default_factory=dict)
    origins: dict[Path, Path] = field(default_factory=dict)
    overrides: set[Path] = field(default_factory=set)

    def original(self, path: Path) -> Path:
        """Return the path the user wrote: the one under `defaults` for a merged-in value."""
        for cut in range(len(path), 0, -1):
            if path[:cut] in self.origins:
                return self.origins[path[:cut]] + path[cut:]
        return path

    def where(self, path: Path | str) -> tuple[str, int | None]:
        """Return file and line of a path, or of the nearest part that contains it."""
        steps = self.original(split_path(path) if isinstance(path, str) else path)
        if any(steps[:cut] in self.overrides for cut in range(len(steps) + 1)):
            return "--set", None
        for cut in range(len(steps), -1, -1):
            if steps[:cut] in self.lines:
                return self.name, self.lines[steps[:cut]]
        return self.name, None


def split_path(text: str) -> Path:
    """Return `cables[2].length` as ("cables", 2, "length")."""
    return tuple(int(match[1]) if match[1] else match[2] for match in STEP.finditer(text))


def join_path(path: Path) -> str:
    """Return ("cables", 2, "length") as `cables[2].length`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def value_at(data: Any, path: Path, missing: Any = None) -> Any:
    """Return the entry of nested mappings and lists at a path, or `missing`."""
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return missing
    return data
