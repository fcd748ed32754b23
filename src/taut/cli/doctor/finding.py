"""One line of `taut doctor`: what was looked at, what was found, and what to do about it."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

Verdict = Literal["ok", "note", "warn", "FAIL"]
WIDTH = 14  # width of the column with the name of what was looked at [characters]


@dataclass(frozen=True)
class Finding:
    """One finding. `note` limits nothing that runs need, `warn` costs time or comfort; with `FAIL` nothing runs."""

    name: str
    verdict: Verdict
    value: str
    remedy: str = ""

    def lines(self) -> list[str]:
        """The line, and the remedy below it."""
        first = f"  {self.verdict:4}  {self.name:{WIDTH}} {self.value}"
        return [first, " " * (9 + WIDTH) + self.remedy] if self.remedy else [first]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for `--json`."""
        return asdict(self)
