"""Errors of a user's scenario: one exception that lists every problem, each with file, line, key, value and remedy."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

NO_VALUE: Any = ...  # marks "no value given"; the ellipsis is one object, also after pickling
VALUE_LENGTH = 60
MOST_SHOWN = 20
MOST_GUESSES = 10
SHORTEST_BEGIN = 3  # least number of letters from which a name that begins with them is guessed
INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a scenario."""

    message: str
    path: str = ""
    value: Any = NO_VALUE
    remedy: str = ""
    source: str = ""
    line: int | None = None

    def __str__(self) -> str:
        """Return `file:line: key = value: message`, and the remedy on a second line."""
        where = f"{self.source}:{self.line}" if self.line is not None else self.source
        what = f"{self.path} = {shorten(self.value)}" if self.path and self.value is not NO_VALUE else self.path
        text = ": ".join(part for part in (where, what, self.message) if part)
        return f"{text}\n  {self.remedy}" if self.remedy else text

    def as_dict(self) -> dict[str, Any]:
        """Return the plain data for `--json`."""
        value = None if self.value is NO_VALUE else shorten(self.value)
        return {"source": self.source, "line": self.line, "path": self.path, "value": value,
                "message": self.message, "remedy": self.remedy}  # fmt: skip


class ScenarioError(ValueError):
    """The scenario cannot be used as it stands; `problems` says why and what to do."""

    def __init__(self, problems: list[Problem]) -> None:
        """Keep the problems; the text of the error is the first twenty of them, one after the other."""
        more = [f"... and {len(problems) - MOST_SHOWN} more problems"] if len(problems) > MOST_SHOWN else []
        super().__init__("\n".join([*map(str, problems[:MOST_SHOWN]), *more]))
        self.problems = problems

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the list of problems, so that a worker process can hand the error to its parent."""
        return (type(self), (self.problems,))


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems in the order of the file; what is wrong in the same way in many list entries is told once."""
    groups: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        groups.setdefault((INDEX.sub("[]", problem.path), problem.message), []).append(problem)
    kept = [replace(group[0], message=group[0].message + _more(group)) for group in groups.values()]
    return sorted(kept, key=lambda problem: (problem.line is None, problem.line or 0))


def _more(group: list[Problem]) -> str:
    others = len({problem.path for problem in group}) - 1
    return f" (and in {others} more)" if others else ""


def shorten(value: Any) -> str:
    """Return the value as the user would write it, cut to a readable length."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    try:
        text = repr(value)
    except ValueError:  # the value is an integer with too many digits to print
        text = "a huge integer"
    return text if len(text) <= VALUE_LENGTH else text[: VALUE_LENGTH - 3] + "..."


def suggest(word: str, known: list[str]) -> str:
    """Return `did you mean 'x'?` for a near miss, else the list of what is known."""
    close = [name for name in known if name.lower() == str(word)[:100].lower()][:1]
    close = close or get_close_matches(str(word)[:100], known, n=1, cutoff=0.6)
    if not close and len(str(word)) >= SHORTEST_BEGIN:
        close = [name for name in known if name.startswith(str(word))][:MOST_GUESSES]
    if close:
        guesses = " or ".join(f"'{name}'" for name in close)
        return f"did you mean {guesses}?"
    return f"known: {', '.join(known)}" if known else ""
