"""Whether the audit of a run is right: its true errors, against runs of much smaller tolerances.

The errors are those of any point of any body (in tolerances times the machine's size; `tolerance` allows five), of its
velocity (the same, times the machine's time scale) and of any energy or work (in limits of the energy balance), at the
samples that both runs have. How far two references of different tolerances are apart says what they are worth.
"""

from dataclasses import dataclass

import numpy as np

from taut.integrate.settings import run_settings
from taut.integrate.simulate import simulate
from taut.integrate.start.start_state import start_state
from taut.integrate.step.scales import machine_size, time_scale
from taut.model import Model
from taut.results.audit import ENERGIES, WORKS
from taut.results.record import COMPLETED, STOPPED
from taut.results.result import Result
from taut.scenario.errors import ScenarioError
from taut.scenario.records.run import LEAST_TOLERANCE
from taut.verify.trust.tolerance import LIMIT, points_of

CLOSER = (100.0, 1000.0)  # tolerance of the run divided by those of its references
SURE = 10.0  # errors beyond this need no second reference
ENOUGH = 1.0  # errors beyond this, in what is allowed, are wrong
PHYSICAL = frozenset({"law", "overlap", "start"})  # lines that judge what the machine does, not how exact the run is
RIGHT, WRONG, ALARM, UNSETTLED = "right", "WRONG PASS", "FALSE ALARM", "NOT SETTLED"
WARNED = "warned"  # verdict on an audit that passes, and whose warning says how far the run is off


@dataclass(frozen=True)
class Errors:
    """Differences of two runs, each relative to what is allowed."""

    points: float  # error of positions, relative to five tolerances times the machine's size
    speeds: float  # error of velocities times the machine's time scale, in the unit of ``points``
    energies: float  # error of energies and works, relative to the limit of the energy balance

    @property
    def largest(self) -> float:
        """The largest of the three errors."""
        return max(self.points, self.speeds, self.energies)

    def __str__(self) -> str:
        """The errors in words, in multiples of what is allowed."""
        return f"points {self.points:.2g}, speeds {self.speeds:.2g}, energies {self.energies:.2g}"


@dataclass(frozen=True)
class Judged:
    """The audit of a run, and whether it is right."""

    verdict: str
    why: str
    errors: Errors | None = None  # errors against the most exact reference; None: not computed
    doubt: Errors | None = None  # difference of the references from each other; None: there is one reference only

    def __str__(self) -> str:
        """Verdict, reason and errors in one line."""
        known = "" if self.errors is None else f" [error: {self.errors}; references: {self.doubt or 'one'}]"
        return f"{self.verdict}: {self.why}{known}"


def judged(model: Model, run: Result) -> Judged:
    """Whether the audit of a run at the scenario's own settings is right."""
    tolerance = run_settings(model, {}).tolerance
    allowed = run.audit.get("energy", {}).get("allowed") or 0.0
    # audits of references are asked for where what the machine does is judged: they may double the time
    is_audited = bool(failed_lines(run) & PHYSICAL)
    closer: list[Result] = []
    try:
        for by in CLOSER:
            closer.append(simulate(model, tolerance=max(tolerance / by, LEAST_TOLERANCE), audit=is_audited))
            if run.status not in (COMPLETED, STOPPED):
                return _ended(run, closer[0])
            errors = apart(model, run, closer[-1], tolerance, allowed)
            if run.audit["verdict"] != "pass" and errors.largest > SURE:
                break
    except ScenarioError as error:
        return Judged(UNSETTLED, f"no reference: {error}")
    doubt = apart(model, closer[0], closer[-1], tolerance, allowed) if len(closer) > 1 else None
    return _weighed(run, closer, errors, doubt)


def _ended(run: Result, closer: Result) -> Judged:
    """Verdict on the audit of a run that broke off, by how far more exact runs get."""
    ends = f"a more exact run: {closer.status}, t = {closer.time[-1]:.4g} s"
    return Judged(RIGHT, f"it says that it ends early ({run.status}, t = {run.time[-1]:.4g} s); {ends}")


def _weighed(run: Result, closer: list[Result], errors: Errors, doubt: Errors | None) -> Judged:
    """Verdict on the audit of a run, by its true errors and by the audits of the references."""
    ended = [other.status in (COMPLETED, STOPPED) for other in closer]
    if run.audit["verdict"] == "pass":
        if errors.points > ENOUGH:
            if run.audit.get("passages", {}).get("verdict") == "warn":
                return Judged(
                    WARNED, "points are off by more than the tolerance allows, which a warning says", errors, doubt
                )
            return Judged(WRONG, "points are off by more than the tolerance allows", errors, doubt)
        far = "" if all(ended) else ", as far as more exact runs get"
        return Judged(RIGHT, f"points are as exact as the tolerance asks{far}", errors, doubt)
    if doubt is not None and doubt.largest > ENOUGH:
        why = "the motion depends on errors below the tolerance: exact runs differ by more than is allowed"
        return Judged(RIGHT, why, errors, doubt)
    if errors.largest > ENOUGH:
        return Judged(RIGHT, "the numbers are off by more than is allowed", errors, doubt)
    if not all(ended):
        return Judged(RIGHT, "more exact runs do not complete: the machine comes to a position that none gets past",
                      errors, doubt)  # fmt: skip
    same = set.intersection(*(failed_lines(other) for other in (run, *closer)))
    if same & PHYSICAL:
        return Judged(RIGHT, f"the machine itself does that, as more exact runs show: {', '.join(same)}", errors, doubt)
    return Judged(ALARM, f"the numbers hold ({', '.join(sorted(failed_lines(run)))})", errors, doubt)


def failed_lines(run: Result) -> set[str]:
    """Lines of the audit that fail."""
    return {name for name, line in run.audit.items() if isinstance(line, dict) and line.get("verdict") == "fail"}


def apart(model: Model, one: Result, other: Result, tolerance: float, allowed: float = 0.0) -> Errors:
    """How far two runs are apart at the samples that both have, in what a tolerance and an energy balance [J] allow."""
    placed = start_state(model).data
    size = machine_size(model, placed)
    count = min(len(one.time), len(other.time))
    same = np.flatnonzero(np.abs(one.time[:count] - other.time[:count]) <= 1e-9 * max(float(one.time[-1]), 1.0))
    here, there = points_of(model, one)[same], points_of(model, other)[same]
    unit = LIMIT * tolerance * size
    rates = [run["body_velocity"].values[same] for run in (one, other)]
    speeds = np.linalg.norm(rates[0] - rates[1], axis=-1) * time_scale(model, size)
    energy = energies(one, other, same) / allowed if allowed > 0.0 else 0.0
    return Errors(_most(np.linalg.norm(here - there, axis=2)) / unit, _most(speeds) / unit, energy)


def energies(one: Result, other: Result, same: np.ndarray) -> float:
    """Largest difference of an energy or a work [J]."""
    names = [name for name in (*ENERGIES, *WORKS) if name in one.dataset and name in other.dataset]
    return max((_most(np.abs(one[name].values[same] - other[name].values[same])) for name in names), default=0.0)


def _most(values: np.ndarray) -> float:
    """The largest value; what is not finite is infinite."""
    return float(np.max(np.where(np.isnan(values), np.inf, values), initial=0.0))
