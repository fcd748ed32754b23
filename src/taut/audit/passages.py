"""Whether errors grow beyond the tolerance where a run passes singular positions.

The run was made again, moved aside before each passage (``taut.integrate.passages``); the audit judges how far it came
apart. The growths of all passages multiply each other.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.results.record import RunRecord

LIMIT = 5.0  # allowed error of a run, in tolerances times machine size (`taut verify tolerance`)
USUAL_ERROR = 0.05  # error that runs usually have, in tolerances times machine size
# growth up to this many times its limit is a warning, because a run may be so much more exact than usual
DOUBT = 10.0
LEAST_ERROR = 1e-14  # least error of a run, by rounding, against the machine's size


@dataclass(frozen=True)
class Passed:
    """A passage of a singular position, or one close by."""

    time: float  # time of the worst position [s]
    kind: str  # kind of singularity: gain or loss of freedom
    condition: float  # largest condition number at the samples
    is_through: bool  # whether the singular position itself was passed, not only its neighbourhood
    growth: float  # growth of an error in the passage, as a factor; infinite if the machine got stuck when moved aside


@dataclass(frozen=True)
class Passages:
    """The passages of a run whose growth was measured, in the order of time."""

    found: tuple[Passed, ...]
    error_growth: float  # how many times more exact than the tolerance the steps were made
    left_out: str = ""  # why the growth was not measured


def passage_line(passages: Passages | None, record: RunRecord) -> dict[str, Any] | None:
    """Growth of errors in all passages together, against what the tolerance allows."""
    if passages is None or not (passages.found or passages.left_out):
        return None
    if passages.left_out:
        reason = f"passes singular positions; how errors grow there was not measured: {passages.left_out}"
        return {"verdict": "warn", "reason": reason, "count": 0, "growth": None, "limit": None}
    found = passages.found
    growth = float(np.prod([max(p.growth, 1.0) for p in found]))
    error = max(USUAL_ERROR * record.tolerance / passages.error_growth, LEAST_ERROR)
    limit = LIMIT * record.tolerance / error
    line = {"count": len(found), "growth": growth, "limit": limit, "times": [p.time for p in found],
            "growths": [p.growth for p in found]}  # fmt: skip
    if growth <= limit:
        return {"verdict": "pass", **line}
    verdict = "warn" if growth <= DOUBT * limit else "fail"
    worst = max(found, key=lambda p: p.growth)
    return {"verdict": verdict, "reason": f"{_words(worst, growth, len(found))}; {_remedy(growth, record)}", **line}


def _remedy(growth: float, record: RunRecord) -> str:
    """What to do about it: more exact steps, as long as rounding leaves room for them."""
    if growth * LEAST_ERROR <= LIMIT * record.tolerance:
        return f"set run.error_growth: {growth * USUAL_ERROR / LIMIT:.2g}, or keep away from that position"
    return "keep away from that position, or hold the machine there so that it has one way to go"


def _words(worst: Passed, growth: float, count: int) -> str:
    """The worst passage, and what it does to errors."""
    does = "passes a singular position" if worst.is_through else "comes close to a singular position"
    where = f"{does} at t = {worst.time:.6g} s ({worst.kind} type, condition number {worst.condition:.3g})"
    if not np.isfinite(worst.growth):
        return f"{where}: moved aside by the tolerance, the machine does not get through"
    all_of_them = f", {growth:.2g} times in all {count} such passages" if count > 1 else ""
    return (f"{where}, where errors grow {worst.growth:.2g} times{all_of_them}: "
            "what follows depends on errors smaller than the tolerance")  # fmt: skip
