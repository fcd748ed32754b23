"""Whether a run that passes singular positions is as exact as the tolerance asks.

The run was made again, more exactly (``taut.integrate.passages``); the audit judges how far both came apart over the
whole run, in singular positions and between them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.results.record import RunRecord

LIMIT = 5.0  # allowed error of a run, in tolerances times machine size (`taut verify tolerance`)
FOUND = 0.7  # least part of an error that shows, as the more exact run has errors too
# error in the same unit beyond which a run fails whose singular positions are not known; less may come of its length
FAR = 100.0
MOST_EXACT = 1e-13  # least tolerance of steps; more exact ones are rounding
SPARE = 10.0  # factor by which the error shall be smaller with the error_growth that the audit recommends


@dataclass(frozen=True)
class Passed:
    """A passage of a singular position, or one close by."""

    time: float  # time of the worst position [s]
    kind: str  # kind of singularity: gain or loss of freedom
    condition: float  # largest condition number at the samples
    is_through: bool  # whether the singular position itself was passed, not only its neighbourhood
    growth: float  # how many times farther both runs are apart behind it; infinite if one got stuck


@dataclass(frozen=True)
class Passages:
    """The passages of a run that was made twice, in the order of time, and how far both runs came apart."""

    found: tuple[Passed, ...]
    apart: float = 0.0  # largest distance of any point, against the machine's size; infinite if one run got stuck
    worst_time: float = 0.0  # time at which that distance is largest [s]
    is_watched: bool = True  # whether singular positions are looked for: without a platform and actuated joints, not
    error_growth: float = 1.0  # how many times more exact than the tolerance its steps were
    coarser: float = 1.0  # how many times less exact the second run was; 1: it was more exact
    left_out: str = ""  # why the run was not made twice


def passage_line(passages: Passages | None, record: RunRecord) -> dict[str, Any] | None:
    """Error of the whole run, in tolerances times the machine's size, against what the tolerance allows."""
    if passages is None:
        return None
    if passages.left_out:
        does = "passes singular positions" if passages.is_watched else "may pass singular positions"
        reason = f"{does}; how errors grow there was not measured: {passages.left_out}"
        return {"verdict": "warn", "reason": reason, "count": 0, "error": None, "limit": None}
    error = passages.apart / record.tolerance
    line = {"count": len(passages.found), "error": error, "limit": FOUND * LIMIT, "worst_time": passages.worst_time,
            "times": [p.time for p in passages.found], "growths": [p.growth for p in passages.found],
            "other": "more exact" if passages.coarser == 1.0 else "less exact"}  # fmt: skip
    if error <= FOUND * LIMIT:
        return {"verdict": "pass", **line}
    # a less exact run is farther away than the error of this one
    sure = passages.coarser * (FOUND * LIMIT if passages.is_watched else FAR)
    verdict = "fail" if error > sure else "warn"
    reason = f"{_words(passages, error)}; {_remedy(passages, error, record.tolerance)}"
    return {"verdict": verdict, "reason": reason, **line}


def _remedy(passages: Passages, error: float, tolerance: float) -> str:
    """What to do about a failed passage: take more exact steps, as long as rounding leaves room for them."""
    growth = SPARE * error / LIMIT * passages.error_growth
    if growth * MOST_EXACT <= tolerance:
        return f"set run.error_growth: {growth:.2g}, or keep away from there"
    return "keep away from there, or hold the machine so that it has one way to go"


def _words(passages: Passages, error: float) -> str:
    """How far the run is off, and the passage in which that has grown most."""
    off = f"at t = {passages.worst_time:.6g} s it is off by {error:.2g} tolerances, as a more exact run says"
    if passages.coarser > 1.0:
        off = f"at t = {passages.worst_time:.6g} s a less exact run is {error:.2g} tolerances away from it"
    if not np.isfinite(error):
        off = f"no more exact run gets past t = {passages.worst_time:.6g} s"
    if not passages.found:
        return off
    worst = max(passages.found, key=lambda p: p.growth)
    does = "passes a singular position" if worst.is_through else "comes close to a singular position"
    where = f"{does} at t = {worst.time:.6g} s ({worst.kind} type, condition number {worst.condition:.3g})"
    of_all = f", the worst of {len(passages.found)} such passages" if len(passages.found) > 1 else ""
    grown = f"where errors grow {worst.growth:.2g} times" if np.isfinite(worst.growth) else "where it gets stuck"
    return f"{where}{of_all}, {grown}; {off}"
