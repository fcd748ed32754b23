"""Where the numbers of a plant are in memory: what a period writes and reads, and what is measured."""

from typing import Any

import numpy as np

from taut.integrate.alpha.method import GeneralizedAlpha
from taut.integrate.radau.method import Radau
from taut.loop.plant import Plant
from taut.model import Data

# fields of a node that hold its measured quantities
FIELDS = {"position": "x", "velocity": "v", "angular_velocity": "w"}
# fields of clock and count written before a call, besides commands and the intervals of the signals
RADAU = ("end", "step", "is_first", "is_rejected", "factor_step", "is_fresh", "refused_step", "let_pass")
ALPHA = ("end", "step", "is_first", "is_rejected", "factor_step", "is_started", "has_first", "goal")
FIXED = (*ALPHA, "nominal")  # fields written before a call of generalized-alpha with a fixed step
KEPT = ("time", "step", "accepted")  # fields read after a call; for Radau also JUMP
JUMP = "jump_step"


def is_plain(plant: Plant) -> bool:
    """Whether compiled code alone can take a period of the plant, but for events and jumps of signals."""
    moving, method = plant.stepper._moving, plant.stepper._moving.method
    is_known = type(method) is Radau or (type(method) is GeneralizedAlpha and not method._real_time[0])
    return is_known and not moving.controls.is_any and bool(plant.commands)


def common(plant: Plant) -> tuple[Any, ...]:
    """What compiled code takes from one machine for all: method, settings, commands, jumps of signals, sizes."""
    moving, see = plant.stepper._moving, plant._measurements
    method: Any = moving.method
    settings = (type(method), getattr(method, "step", None), method.restart_step, method.steps_per_call)
    # Radau's tolerance stays in its own workspace; generalized-alpha is given a goal that depends on it
    tolerance = None if isinstance(method, Radau) else float(method.work.clock["tolerance"][0])
    counts = len(written(plant)), len(measured(plant) or ()), len(see.forces)
    sizes = *counts, *(size for _, _, size in blocks(plant))
    return settings, tolerance, dict(moving.controls.specs), tuple(plant.stepper.model.breakpoints), sizes


def words(plant: Plant) -> tuple[str, ...]:
    """Names of the words in clock and count that are written."""
    method: Any = plant.stepper._moving.method
    return RADAU if isinstance(method, Radau) else ALPHA if method.step is None else FIXED


def kept(plant: Plant) -> tuple[str, ...]:
    """Names of the words in clock and count that are read after a call."""
    return (*KEPT, JUMP) if isinstance(plant.stepper._moving.method, Radau) else KEPT


def word(work: Any, name: str) -> int:
    """Address of an entry of clock or count."""
    table = work.clock if name in work.clock.dtype.names else work.count
    return table.ctypes.data + table.dtype.fields[name][1]


def written(plant: Plant) -> list[int]:
    """Addresses of what is written: the words, the windows, and the rows of the commands."""
    work, data = plant.stepper._moving.method.work, plant.stepper._moving.data
    windows = [part.window.ctypes.data + 8 * k for part in (work.at, work.stage) for k in (0, 1)]
    first = data.commands.ctypes.data
    return [*(word(work, name) for name in words(plant)), *windows, *(first + 8 * k for k in range(data.commands.size))]


def blocks(plant: Plant) -> list[tuple[int, int, int]]:
    """Blocks that ``Plant.observe`` copies to the measurements' workspace: from, to, number of words."""
    work, see = plant.stepper._moving.method.work, plant._measurements.data
    stage, n, m = work.stage, len(see.v), len(see.z)
    if isinstance(plant.stepper._moving.method, Radau):
        state = {name: getattr(work, name) for name in ("q", "v", "z", "acceleration", "lam")}
    else:
        state = {"q": work.q_begin, "v": work.y_begin[n : 2 * n], "z": work.y_begin[2 * n : 2 * n + m]}
    found = [(word(work, "time"), part.time.ctypes.data, 1) for part in (stage, see)]
    for name, source in state.items():
        found += [(source.ctypes.data, getattr(part, name).ctypes.data, source.size) for part in (stage, see)]
    for name in ("window", "still", *(name for name in ("acceleration", "lam") if name not in state)):
        source = getattr(stage, name)
        found.append((source.ctypes.data, getattr(see, name).ctypes.data, source.size))
    return found


def measured(plant: Plant) -> list[int] | None:
    """Addresses of the observations, in their order; None if one of them is more than a number of the workspace."""
    see = plant._measurements
    if plant.noise or (see.needs_forces and not isinstance(plant.stepper._moving.method, Radau)):
        return None
    found: list[int] = []
    for name, spec in see.specs.items():
        places = place_of(plant, spec, see.data, see.forces)
        if places is None:
            return None
        first, last = see.ends[list(see.specs).index(name)], see.ends[list(see.specs).index(name) + 1]
        # components that do not exist were refused by _pick before
        if spec.component is not None:
            labels = {3: "xyz", 4: "wxyz"}.get(len(places), "")
            k = labels.index(spec.component) if isinstance(spec.component, str) else spec.component
            places = places[k : k + 1]
        if len(places) != last - first:
            return None
        found += places
    return found


def place_of(plant: Plant, spec: Any, data: Data, forces: np.ndarray) -> list[int] | None:
    """Addresses of a measurement's numbers."""
    model, owner, what = plant.stepper.model, spec.owner(), spec.quantity()
    if owner == "machine":
        return entries(data.q if what == "position" else data.v)
    if owner == "body" and what in FIELDS and not np.any(spec.point):
        return entries(data.nodes[FIELDS[what]][model.names.bodies[spec.body]])
    if owner != "joint" or model.names.bodies[spec.joint] in model.names.drives.values():
        return None
    node = model.names.bodies[spec.joint]
    row = model.tables.nodes[node]
    columns = slice(int(row.column), int(row.column + row.column_count))
    if what == "position":
        at = model.coordinates_of(node)
        return entries(data.q)[at]
    arrays = {"velocity": data.v, "acceleration": data.acceleration, "force": forces}
    return entries(arrays[what])[columns] if what in arrays else None


def entries(array: np.ndarray) -> list[int]:
    """Addresses of all entries of a vector of numbers."""
    return [array.ctypes.data + array.strides[0] * k for k in range(len(array))]
