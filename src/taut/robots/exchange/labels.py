"""Names of another tool as names of a scenario, and the list of what was left out."""

import re

from taut.robots.problems import refusal
from taut.scenario.errors import ScenarioError

LONGEST = 56  # longest name [characters]; leaves room for a number that makes the name unique


class Labels:
    """Makes names that a scenario allows, each only once."""

    def __init__(self) -> None:
        """Begin with the names that mean something already."""
        self.used = {"world", "all"}

    def make(self, text: str, otherwise: str) -> str:
        """A name as near to a text as possible; without a text the other one."""
        clean = re.sub(r"[^A-Za-z0-9_ \-]", "_", text).strip().lstrip("-")[:LONGEST] or otherwise
        name, k = clean, 2
        while name in self.used:
            name, k = f"{clean} {k}", k + 1
        self.used.add(name)
        return name


def signal_name(label: str) -> str:
    """Name of the signal that commands an actuator."""
    return "u_" + re.sub(r"[^A-Za-z0-9_]", "_", label)


class LeftOut:
    """Features left out of a conversion, by kind and name, in the order in which they were found."""

    def __init__(self) -> None:
        """Begin with an empty list."""
        self.found: dict[str, list[str]] = {}

    def add(self, kind: str, name: str) -> None:
        """Note one feature that is left out."""
        names = self.found.setdefault(kind, [])
        if name not in names:
            names.append(name)

    def lines(self) -> tuple[str, ...]:
        """One line for each kind."""
        return tuple(f"{kind}: {', '.join(names)}" if any(names) else kind for kind, names in self.found.items())


def bad(path: object, message: str, remedy: str = "") -> ScenarioError:
    """An error about a file, ready to raise."""
    return refusal(message, at=str(path), remedy=remedy)
