"""All lines of the audit that need to know the machine."""

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.audit.channels import channel_line
from taut.audit.equations import equations_line, own_modes, sides_line
from taut.audit.events import event_line
from taut.audit.friction import friction_line
from taut.audit.impacts import impact_line
from taut.audit.inputs import input_line
from taut.audit.kinematics import kinematics_line
from taut.audit.laws import law_line
from taut.audit.passages import Passages, passage_line
from taut.audit.projection import projection_line
from taut.audit.scenario import build_line, start_line
from taut.audit.twin.closures import closure_line
from taut.audit.twin.motion import Motion, evaluate_motion
from taut.audit.twin.points import Points, given_start, joined
from taut.model import Model
from taut.model.remembered import remembered
from taut.results.audit import POSITION_LIMIT, machine_size, variables_in
from taut.results.record import RunRecord
from taut.results.variables import Variables

if TYPE_CHECKING:
    import xarray as xr

AT_STAGES = "at the ends of steps, solved to rounding"
AT_STATES = "in the forces and accelerations of states of the run"

NOT_JUDGED = "the run was made without an audit (audit=False): nothing says that its numbers hold"


@dataclass(frozen=True)
class Seen:
    """States, impacts and corrections of a run that its audit reads."""

    witnesses: Points  # states at ends of steps, where the equations of motion must hold
    samples: Points  # states of some samples, as the engine handed them over
    is_stage: bool  # whether witnesses are stages of the method, not states with recomputed accelerations
    projections: dict[str, float]  # largest closure errors before they were corrected, by name
    planned: int  # number of witnesses that were planned; a run with fewer steps has fewer
    struck: np.ndarray  # impacts, with the columns of ``integrate.events.holds`` [impact, 9]
    begin: tuple[np.ndarray, np.ndarray] | None = None  # coordinates and velocities of the state the run continues from
    sides: np.ndarray | None = None  # sides of the events in the state the run continues from; None: it starts anew
    passages: Passages | None = None  # how errors grew in singular positions; None: it passed none


def judge(model: Model, dataset: "xr.Dataset | Variables", record: RunRecord, seen: Seen) -> dict[str, Any]:
    """Lines by name; what does not apply is left out."""
    if model.points is not None:
        # this code has exact forces only: a run with piecewise linear ones gets a note that it was not judged
        return {"equations": {"verdict": "note", "points": 0, "max": None, "limit": None, "columns": 0,
                              "of_columns": model.column_count, "not_covered": list(model.names.cables),
                              "where": AT_STATES}}  # fmt: skip
    model = remembered(model, "plain", plain_model)
    size = record.size or machine_size(dataset)
    arrays = {str(name): variable.values for name, variable in variables_in(dataset).items()}
    both = joined([seen.witnesses, seen.samples, given_start(model)])
    both = replace(both, modes=own_modes(model, both))
    motion = evaluate_motion(model, both)
    count = len(seen.witnesses)
    at_steps, at_samples = part(both, motion, slice(0, count)), part(both, motion, slice(count, -1))
    # events are located at the ends of steps; between those a sample may be off by the tolerance
    blur = max(size, 1.0) * np.where(np.arange(len(both) - 1) < count, 1e-9, max(10.0 * record.tolerance, 1e-9))
    closed = record.thresholds.get("constraint_error", POSITION_LIMIT * max(1.0, size))
    lines = {
        "equations": equations_line(
            model, *at_steps, wanted(seen, record), AT_STAGES if seen.is_stage else AT_STATES, is_stage=seen.is_stage
        ),
        "closures": closure_line(model, at_samples[0], at_samples[1].rows, closed),
        "sides": sides_line(model, *sides_of_run(both, motion), blur),
        "friction": friction_line(model, *at_steps, record.method),
        "channels": channel_line(model, arrays, *at_samples),
        "kinematics": kinematics_line(model, arrays, record),
        "projection": projection_line(model, record, seen.projections, size),
        "passages": passage_line(seen.passages, record),
        "law": law_line(model, arrays, size, record, seen.sides),
        "impacts": impact_line(model, seen.struck),
        "events": event_line(model, arrays, record),
        "inputs": input_line(model, arrays),
        "start": start_line(model, arrays, motion.rows.errors[:, -1:], size, seen.begin),
        "build": build_line(model, arrays["time"]),
    }
    return {name: plain(line) for name, line in lines.items() if line is not None}


class PlainTables(SimpleNamespace):
    """The tables as plain arrays of records, whose columns are found sooner than those of ``np.recarray``."""

    def _asdict(self) -> dict[str, Any]:
        return vars(self)


def plain_model(model: Model) -> Model:
    """A copy of the model whose tables are plain arrays."""
    plain = {name: value.view(np.ndarray) if isinstance(value, np.ndarray) else value
             for name, value in model.tables._asdict().items()}  # fmt: skip
    tables: Any = PlainTables(**plain)
    return replace(model, tables=tables)


def not_judged(model: Model) -> dict[str, Any]:
    """The entry of a run without an audit, which must not be mistaken for a judged one."""
    return {"equations": {"verdict": "incomplete", "reason": NOT_JUDGED, "points": 0, "max": None, "limit": None,
                          "columns": 0, "of_columns": model.column_count, "not_covered": [],
                          "where": AT_STATES}}  # fmt: skip


def wanted(seen: Seen, record: RunRecord) -> int:
    """Moments at which the equations are to be judged: half of those planned, or of the steps if there are few."""
    return min(seen.planned, record.statistics.get("accepted", seen.planned)) // 2


def plain(value: Any) -> Any:
    """Plain data for JSON: None stands for values that are not finite."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def sides_of_run(points: Points, motion: Motion) -> tuple[Points, Motion]:
    """All moments but the given start, as far as the sides of events go."""
    run = slice(0, -1)
    return (replace(points, time=points.time[run], modes=points.modes[run]),
            replace(motion, contacts=motion.contacts[run], tethers=motion.tethers[run]))  # fmt: skip


def part(points: Points, motion: Motion, which: slice) -> tuple[Points, Motion]:
    """Points and motion restricted to some of the moments."""
    cut = {name: value[which] for name, value in vars(points).items()}
    frames, stuff, rows = motion.frames, motion.stuff, motion.rows
    found = Motion(
        signals=motion.signals[which],
        frames=replace(frames, R=frames.R[:, which], x=frames.x[:, which], axis=frames.axis[which]),
        stuff=replace(stuff, **{name: value[which] for name, value in vars(stuff).items()}),
        rows=rows._replace(errors=rows.errors[:, which]),
        joint={name: np.broadcast_to(value, points.v.shape)[which] for name, value in motion.joint.items()},
        carried={name: value[which] for name, value in motion.carried.items()},
        gross=motion.gross[which],
        transmitted=replace(motion.transmitted, F=motion.transmitted.F[which], M=motion.transmitted.M[which]),
        contacts=motion.contacts[which],
        tethers=motion.tethers[which],
    )
    return Points(**cut), found
