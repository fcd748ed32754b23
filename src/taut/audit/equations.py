"""The audit's check that the equations of motion hold at the states where the method solved them."""

from typing import Any

import numpy as np

from taut.audit.events import awaited
from taut.audit.ritz.forces import rope_columns
from taut.audit.rows import rows_of
from taut.audit.twin.motion import Motion, covered, uncovered_names
from taut.audit.twin.points import Points
from taut.audit.twin.signals import term_sizes
from taut.model import Model
from taut.model.enums import EventKind
from taut.model.inputs import force_signals
from taut.model.remembered import remembered

LIMIT = 2e-7  # allowed residual, relative to the sum of the absolute terms of a balance
# the same limit for Ritz cables at states with recomputed accelerations, which are free of Newton errors
LIMIT_ROPES = 1e-8
OF_RUN = 1e-3  # weight in the scale of a balance's largest terms during the run, besides its present terms
# weight in the scale of the largest terms of all balances of the same kind, for those with nearly zero terms
OF_MACHINE = 1e-4
OF_GROSS = 1e-3  # weight in the scale of all forces regardless of sign: forces that cancel leave rounding
UNSEEN = (
    "the equations of motion were judged at {} of the run's steps only: at others Newton's iteration did not come to "
    "rounding, or they were too short; compare with a run at another tolerance or by another integrator"
)
# weight in the scale of the largest forces by signals, whose fitted polynomials are at least that accurate
OF_INPUTS = 1e-6


def equations_line(  # noqa: PLR0913
    model: Model, points: Points, motion: Motion, wanted: int, says: str, *, is_stage: bool = True
) -> dict[str, Any]:
    """Residual of every column's balance, relative to its terms; at least ``wanted`` moments must be judged."""
    is_covered = covered(model)
    left_out = uncovered_names(model, is_covered)
    line: dict[str, Any] = {"points": len(points), "columns": int(is_covered.sum()), "of_columns": len(is_covered),
                            "not_covered": left_out, "where": says}  # fmt: skip
    if not is_covered.any():
        return {"verdict": "note", "max": None, "limit": LIMIT, **line}
    if not len(points):
        return {"verdict": "warn", "reason": UNSEEN.format("none"), "max": None, "limit": LIMIT, **line}
    error = np.abs(motion.residual)[:, is_covered] / allowed_parts(model, motion)[:, is_covered]
    error = np.where(np.isfinite(error), error, np.inf)
    limits = np.where(rope_columns(model) & (not is_stage), LIMIT_ROPES, LIMIT)[is_covered]
    k, c = np.unravel_index(int(np.argmax(error / limits)), error.shape)
    name = np.array(model.names.columns)[is_covered][c]
    largest, limit = float(error[k, c]), float(limits[c])
    line |= {"max": largest if np.isfinite(largest) else None, "time": float(points.time[k]), "column": str(name),
             "limit": limit}  # fmt: skip
    if largest <= limit:
        few = {"verdict": "warn", "reason": UNSEEN.format(len(points))}
        return {**({"verdict": "pass"} if len(points) >= wanted else few), **line}
    reason = (f"the equations of motion do not hold: the balance of {name} at t = {points.time[k]:.6g} s lacks "
              f"{largest:.3g} of its forces, more than {limit:.3g}")  # fmt: skip
    return {"verdict": "fail", "reason": reason, **line}


def allowed_parts(model: Model, motion: Motion) -> np.ndarray:
    """Parts against which a balance is judged [point, column]."""
    parts = np.where(np.isfinite(motion.parts), motion.parts, 0.0)
    turns = model.tables.columns["is_rotation"] != 0
    of_run = parts.max(axis=0)
    force = of_run[~turns].max(initial=0.0)
    # scale of moments: at least the largest force times the longest lever, since forces that cancel leave rounding
    of_kind = np.where(turns, np.maximum(of_run[turns].max(initial=0.0), force * longest_lever(model)), force)
    rounding = OF_GROSS * np.where(np.isfinite(motion.gross), motion.gross, 0.0)
    return parts + OF_RUN * of_run + OF_MACHINE * of_kind + OF_INPUTS * largest_input(model) + rounding + 1e-300


def longest_lever(model: Model) -> float:
    """Largest distance of a point at which something acts from the origin of its body [m]."""
    return remembered(model, "longest lever", found_lever)


def found_lever(model: Model) -> float:
    """Compute the largest distance [m] of points of action from the origins of their bodies."""
    tables = model.tables
    points = [tables.nodes["offset"], tables.nodes["com"], tables.contacts["point"], tables.wrenches["point"],
              tables.guides["point"], *(tables.closures[f"point_{end}"] for end in "ab")]  # fmt: skip
    return max(float(np.linalg.norm(part, axis=-1).max(initial=0.0)) for part in points)


def largest_input(model: Model) -> float:
    """Largest force that the signals give at any time [N]: by their values, or by their accelerations of all masses."""
    return remembered(model, "largest input", found_input)


def found_input(model: Model) -> float:
    """Add up the bounds of all signals [N]: of their values, or of their accelerations times all masses."""
    forces, tables = force_signals(model.tables._asdict()), model.tables
    mass, total = float(tables.nodes["mass"].sum()), 0.0
    for k, signal in enumerate(rows_of(tables.signals)):
        terms = rows_of(tables.terms[signal.term : signal.term + signal.term_count])
        value, second = np.sum([term_sizes(tables, term) for term in terms], axis=0)
        total += value if k in forces else mass * second
    return total


def own_modes(model: Model, points: Points) -> np.ndarray:
    """Sides of the events, but those of timed failures from the scenario and not from the run.

    A rope that is to be cut at a time may break before it.
    """
    modes = np.array(points.modes)
    events = model.tables.events
    for j in np.flatnonzero((events["kind"] == EventKind.SWITCH) & np.isfinite(events["level"])):
        # at the switching time itself the state belongs to the step that ends there: not switched yet
        before = modes[:, j] if model.names.events[j] in awaited(model) else -1.0
        modes[:, j] = np.where(np.clip(points.time, points.low, points.high) > events["level"][j], 1.0, before)
    return modes


def sides_line(model: Model, points: Points, motion: Motion, blur: np.ndarray) -> dict[str, Any] | None:
    """Whether modes of contacts and tethers agree with the state; ``blur`` is the accuracy of states [m]."""
    contacts, tethers = model.tables.contacts, model.tables.tethers
    if not len(contacts) and not len(tethers) or not len(points):
        return None
    wrong = []
    for j, name in enumerate(model.names.contacts):
        should = motion.contacts[:, j]
        bad = np.where(points.modes[:, contacts["side"][j]] > 0, should < -blur, should > blur)
        wrong += [(float(points.time[k]), name) for k in np.flatnonzero(bad)]
    for name, j in model.names.tethers.items():
        mode, pull = points.modes[:, tethers["event"][j]], motion.tethers[:, j]
        allowed = 1e-6 * motion.tethers.max(initial=0.0) + blur * tethers["stiffness"][j] / tethers["length"][j]
        bad = ((mode > 0) & (pull < -allowed)) | ((mode < 0) & (pull > allowed))
        wrong += [(float(points.time[k]), name) for k in np.flatnonzero(bad)]
    if not wrong:
        return {"verdict": "pass", "points": len(points), "wrong": []}
    time, name = min(wrong)
    reason = (
        f"{name} is on the wrong side at t = {time:.6g} s: open or slack though its state says otherwise, or closed"
    )
    return {"verdict": "fail", "reason": reason, "points": len(points), "wrong": sorted({name for _, name in wrong})}
