"""Measurements of a running machine for its controllers, with noise and errors of sensors."""

from collections.abc import Callable
from typing import Any

import numpy as np

from taut.control.measuring.rope_measures import rope_measure, rope_reader, sensor_step
from taut.control.measuring.sensors import Sample, Sensors
from taut.control.measuring.words import Words, words_of
from taut.dynamics.residual import consistent_accelerations, place_state
from taut.model import Data, Factor, Model, data_beside, new_factor, set_moment
from taut.model.enums import JointKind

# returns numbers from a placed state and the transmitted joint forces
Reader = Callable[[Data, np.ndarray], np.ndarray]
ENDS = ("tension_exit", "tension_anchor")
KINEMATIC = ("position", "velocity", "orientation", "angular_velocity")
LABELS = {3: ("x", "y", "z"), 4: ("w", "x", "y", "z")}


class Measurements:
    """All measurements of a scenario, taken together."""

    def __init__(self, model: Model, data: Data) -> None:
        """Find what every measurement reads; ``data`` is a workspace of the run."""
        self.model = model
        self.data = data_beside(model, data)
        self.forces = np.zeros(model.column_count)
        self.seed = model.plan.run.seed
        self.specs: dict[str, Any] = dict(model.plan.measurements)
        self.readers = {name: reader(model, spec) for name, spec in self.specs.items()}
        place_state(model.tables, self.data, self.forces)
        sizes = [len(self._pick(name)) for name in self.specs]
        self.ends = np.cumsum([0, *sizes])
        self.names = [label for name, size in zip(self.specs, sizes, strict=True) for label in labels(name, size)]
        self.noise = np.repeat([spec.noise for spec in self.specs.values()], sizes)
        self.bias = np.repeat([spec.bias for spec in self.specs.values()], sizes)
        self.resolution = np.repeat([sensor_step(model, spec) for spec in self.specs.values()], sizes)
        # accelerations and multipliers take an evaluation of the machine in some methods
        self.needs_forces = any(spec.quantity() not in KINEMATIC for spec in self.specs.values())
        # sensors with more faults than these are done in Python
        is_plain = all(spec.is_plain() for spec in self.specs.values())
        self.sensors = None if is_plain else Sensors(list(self.specs.values()), sizes, self.resolution)
        self.words = self._words() if is_plain else None
        self._factor: Factor | None = None
        self.is_noisy, self.is_coarse = bool(np.any(self.noise)), bool(np.any(self.resolution))

    def _pick(self, name: str) -> np.ndarray:
        values = self.readers[name](self.data, self.forces)
        return values[self._chosen(name, len(values))]

    def _chosen(self, name: str, size: int) -> slice:
        """Which numbers of a measurement are asked for."""
        component = self.specs[name].component
        if component is None:
            return slice(None)
        labels = LABELS.get(size, ())
        k = labels.index(component) if component in labels else component
        if not isinstance(k, int) or k >= size:
            message = f"is not among the {size} numbers: {', '.join(labels) or '0, 1, ...'}"
            raise self.model.plan.error(f"measurements.{name}.component", message, value=component)
        return slice(k, k + 1)

    def _words(self) -> Words | None:
        """All measurements for compiled code; None if one of them needs Python."""
        found: Words = []
        for name, spec in self.specs.items():
            words = words_of(self.model, spec, self.data, self.forces)
            if words is None:
                return None
            found += words[self._chosen(name, len(words))]
        return found

    def exact(self, state: Data) -> np.ndarray:
        """All measurements at a state (with its accelerations and multipliers), without the faults of their sensors."""
        self.put(state)
        place_state(self.model.tables, self.data, self.forces)
        return self.placed()

    def placed(self) -> np.ndarray:
        """All measurements of the workspace as it is."""
        return np.concatenate([self._pick(name) for name in self.specs]) if self.specs else np.zeros(0)

    def look(self, state: Data) -> None:
        """Let sensors that follow their quantities between samples see a state."""
        if self.sensors is not None and self.sensors.must_look:
            self.sensors.course.look(float(state.time[0]), self.exact(state))

    def jump(self, state: Data) -> None:
        """Tell sensors that follow their quantities between samples that forces have jumped at a state."""
        if self.sensors is None or not self.sensors.must_look:
            return
        self.put(state)
        if self.needs_forces:
            self._factor = self._factor or new_factor(self.model)
            consistent_accelerations(self.model.tables, self.data, self._factor)
        place_state(self.model.tables, self.data, self.forces)
        self.sensors.course.jump(float(state.time[0]), self.placed())

    def take(self, state: Data, number: int, slack: float = 0.0) -> np.ndarray:
        """Measure at a state (with its accelerations and multipliers); the number of the sample seeds the noise."""
        if self.sensors is not None:
            time, exact = float(state.time[0]), self.exact(state)
            return self.sensors.report(Sample(time, number, exact, self.drawn(number), self.seed, slack))
        values = self.exact(state) + self.bias
        if self.is_noisy:
            # a random generator for each sample, so that a resumed run sees the same noise
            values += self.noise * self.drawn(number)
        if not self.is_coarse:
            return values
        step = np.where(self.resolution > 0.0, self.resolution, 1.0)
        return np.where(self.resolution > 0.0, np.round(values / step) * step, values)

    def drawn(self, number: int) -> np.ndarray:
        """The noise of a sample, for a standard deviation of one."""
        return np.random.default_rng([self.seed, number]).standard_normal(len(self.noise))

    def read(self, name: str, state: Data) -> float | np.ndarray:
        """One measurement without the faults of its sensor."""
        self.put(state)
        place_state(self.model.tables, self.data, self.forces)
        values = self._pick(name)
        return float(values[0]) if len(values) == 1 else values.copy()

    def put(self, state: Data) -> None:
        """Bring the workspace to a state, without placing the machine."""
        data = self.data
        set_moment(data, state)
        for name in ("q", "v", "z", "acceleration", "lam"):
            getattr(data, name)[:] = getattr(state, name)

    def named(self, values: np.ndarray) -> dict[str, Any]:
        """Numbers by the name of their measurement: a float, or an array."""
        parts = zip(self.specs, self.ends, self.ends[1:], strict=False)
        return {name: float(values[a]) if b - a == 1 else values[a:b].copy() for name, a, b in parts}


def labels(name: str, size: int) -> list[str]:
    """Names of the numbers of one measurement."""
    if size == 1:
        return [name]
    return [f"{name}.{label}" for label in LABELS.get(size, map(str, range(size)))]


def reader(model: Model, spec: Any) -> Reader:
    """Function that reads one measurement from the machine's state."""
    owner, what = spec.owner(), spec.quantity()
    if owner == "machine":
        return (lambda data, _: data.q) if what == "position" else (lambda data, _: data.v)
    if owner == "cable":
        return cable_reader(model, spec.cable, what) if what in ENDS else rope_measure(model, spec, what)
    node = model.names.bodies[getattr(spec, owner)]
    return body_reader(model, node, what, spec.point) if owner == "body" else joint_reader(model, node, what)


def body_reader(model: Model, node: int, what: str, point: Any) -> Reader:
    """A body's motion at one of its points, world axes."""
    p, g = np.array(point), np.array(model.tables.settings[0].gravity)
    is_origin, seen = not p.any(), Fields(node)

    def read(data: Data, _: np.ndarray) -> np.ndarray:
        x, R, v, w, a, alpha = seen.of(data.nodes)
        if what == "position":
            return x.copy() if is_origin else x + R @ p
        if what == "velocity":
            return v.copy() if is_origin else v + np.cross(w, R @ p)
        if what == "acceleration":
            d = R @ p
            return a + g + np.cross(alpha, d) + np.cross(w, np.cross(w, d))
        return quaternion(R) if what == "orientation" else w.copy()

    return read


class Fields:
    """Views of a node's motion in a workspace, made once: attributes of records are slow."""

    def __init__(self, node: int) -> None:
        """Take the node's number."""
        self.node, self.nodes, self.views = node, None, ()

    def of(self, nodes: Any) -> tuple[np.ndarray, ...]:
        """Place, rotation, velocity, angular velocity and their rates."""
        if nodes is not self.nodes:
            here = {name: nodes[name][self.node] for name in ("x", "R", "v", "w", "a", "alpha")}
            self.nodes, self.views = nodes, tuple({**here, "R": here["R"].reshape(3, 3)}.values())
        return self.views


def quaternion(R: np.ndarray) -> np.ndarray:
    """Quaternion (w, x, y, z) of a rotation matrix, with w >= 0."""
    from scipy.spatial.transform import Rotation

    q = Rotation.from_matrix(R).as_quat(canonical=True)
    return q[[3, 0, 1, 2]]


def joint_reader(model: Model, node: int, what: str) -> Reader:
    """A joint's coordinates, their rates and accelerations, or the forces it transmits."""
    row = model.tables.nodes[node]
    if node in model.names.drives.values():
        return drive_reader(row, node, what)
    columns = slice(int(row.column), int(row.column + row.column_count))
    if what == "position":
        entries = model.coordinates_of(node)
        return lambda data, _: data.q[entries]
    if what == "force":
        return lambda _, forces: forces[columns]
    return lambda data, _: (data.v if what == "velocity" else data.acceleration)[columns]


def drive_reader(row: Any, node: int, what: str) -> Reader:
    """A joint whose motion is prescribed."""
    order = {"position": 0, "velocity": 1, "acceleration": 2}
    if what != "force":
        return lambda data, _: data.signals[row.signal[0], order[what]][None]
    wrench = "N" if row.kind == JointKind.DRIVEN_TURN else "F"
    axis = np.array(row.axis_1)
    return lambda data, _: np.array([data.nodes[node].R.reshape(3, 3) @ axis @ data.nodes[node][wrench]])


def cable_reader(model: Model, cable: str, what: str) -> Reader:
    """A cable's pull at one of its ends, as the result has it."""
    if cable in model.names.routes:
        return rope_reader(model, model.names.routes[cable][0 if what == "tension_exit" else -1])
    chain = model.names.cables[cable]
    if model.tables.nodes[chain[0]].kind == JointKind.RITZ:
        pull = int(model.tables.closures[model.names.closures.index(f"{cable}.pull")].row)
        return lambda data, _: np.array([data.lam[pull]])
    first = int(model.tables.nodes[chain[0]].parent)
    closure = model.tables.closures[model.names.closures.index(f"{cable}.anchor")]
    held, row = np.flatnonzero(closure.point_rows), int(closure.row)

    def at_exit(data: Data, _: np.ndarray) -> np.ndarray:
        here = data.nodes[first]
        return -np.array([here.F @ here.R.reshape(3, 3)[:, 2]])

    def at_anchor(data: Data, _: np.ndarray) -> np.ndarray:
        z = data.nodes[chain[-1]].R.reshape(3, 3)[:, 2]
        return np.array([data.lam[row : row + len(held)] @ z[held]])

    return at_exit if what == "tension_exit" else at_anchor
