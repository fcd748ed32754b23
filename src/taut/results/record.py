"""What a result tells about its run: the scenario, the versions, the outcome and the counts."""

import json
import platform
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

FORMAT = "taut result"
FORMAT_VERSION = 1
WORKSPACE_FORMAT = "taut workspace"  # format of the files of `taut workspace`

COMPLETED = "completed"  # the run reached its end time
STOPPED = "stopped"  # an event that the user asked for ended the run
INTERRUPTED = "interrupted"  # the run was ended by Ctrl-C, a crash or a full disk, and can be resumed

CONVENTIONS = (
    "SI units and radians; world axes with z up; quaternions (w, x, y, z) of the rotation from body to world; "
    "positions, velocities, angular velocities, accelerations and forces in world axes; tension is positive when the "
    "cable pulls; node 0 and element 1 lie at the exit; anchor_force and exit_force act on the cable's end; "
    "entries beyond cable_element_count are NaN"
)


@dataclass(frozen=True)
class RunRecord:
    """How a result was made, from what, and how it ended."""

    scenario_text: str = ""  # the scenario as YAML, which can be run again
    # parts as JSON, for drawing: bodies, joints and closures, with those that cranes and drivers are made of
    structure_text: str = ""
    title: str = ""
    status: str = COMPLETED
    status_text: str = ""  # how the run ended and what to do, in a sentence
    method: str = ""  # name of the integrator
    tolerance: float = 1e-6
    duration: float | None = None  # end time asked for [s]
    weight: float = 0.0  # weight of all bodies and cables [N]
    # largest extent of the machine at the start, to which errors are compared [m]; 0: found from the samples
    size: float = 0.0
    model_digest: str = ""
    # counts of the integrator: accepted, rejected, newton_failures, newton_iterations, factorisations, ...
    statistics: dict[str, Any] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)  # events of the run: time [s], name, and what happened
    thresholds: dict[str, float] = field(default_factory=dict)  # limits of the audit that replace the default ones
    # oddities of the scenario found before the run began, shown in the audit
    warnings: list[str] = field(default_factory=list)


def attributes(record: RunRecord) -> dict[str, Any]:
    """Attributes of the dataset, and of the file: enough to run the scenario again."""
    attrs = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "title": record.title,
        "status": record.status,
        "status_text": record.status_text,
        "method": record.method,
        "tolerance": record.tolerance,
        "scenario": record.scenario_text,
        "model_digest": record.model_digest,
        "events": json.dumps(record.events),
        "conventions": CONVENTIONS,
        "quaternion_order": "wxyz",
        "taut_version": import_module("taut").__version__,
        "python_version": platform.python_version(),
    }
    if record.structure_text:
        attrs["structure"] = record.structure_text
    if record.duration is not None:
        attrs["duration"] = record.duration
    return attrs | {f"{name}_version": _version_of(name) for name in ("numpy", "numba")}


@cache
def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
