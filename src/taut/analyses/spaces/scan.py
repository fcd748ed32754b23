"""Safe working zone: a plane of poses scanned for reach, ranges of the joints and singularities.

Every grid point is a pose with the start's orientation. From the start outwards, neighbours are reached by inverse
kinematics; a pose is safe when its loops close, all joints are in their ranges, both condition numbers stay below a
limit, and no determinant has changed its sign on the way [Karnam2020].
"""

from dataclasses import dataclass

import numpy as np
import xarray as xr

from taut.analyses.spaces.space import new_space
from taut.dynamics.residual import place
from taut.dynamics.spaces.equations import OK
from taut.integrate.reach import SLACK, joint_ranges
from taut.integrate.singularities import Watch
from taut.model import Model
from taut.scenario.errors import Problem, ScenarioError

AXES = "xyz"
LIMIT = 1e3  # poses with a larger condition number are not safe


@dataclass(frozen=True)
class Grid:
    """A plane of positions: two axes with their limits and numbers of points."""

    axes: tuple[str, str] = ("x", "z")
    limits: tuple[tuple[float, float], tuple[float, float]] = ((-0.5, 0.5), (-0.5, 0.5))
    counts: tuple[int, int] = (41, 41)


def parse_grid(text: str) -> Grid:
    """A grid from `x=-0.5:0.5:41,z=0.6:1.6:41`.

    Raises:
        ScenarioError: the text says no grid.
    """
    try:
        parts = [part.split("=") for part in text.split(",")]
        (a, b), spans = (part[0].strip() for part in parts), [part[1].split(":") for part in parts]
        limits = tuple((float(span[0]), float(span[1])) for span in spans)
        counts = tuple(int(span[2]) if len(span) > 2 else 41 for span in spans)
        is_good = a in AXES and b in AXES and a != b and all(low < high for low, high in limits) and min(counts) > 1
        if not is_good or max(counts) > 1001:
            raise ValueError
        return Grid((a, b), limits, counts)  # type: ignore[arg-type]
    except (ValueError, IndexError):
        remedy = "two axes with limits and numbers of points, for example x=-0.5:0.5:41,z=0.6:1.6:41"
        raise ScenarioError([Problem("is no grid", "--scan", text, remedy)]) from None


def default_grid(model: Model) -> Grid:
    """A square about the start pose, as wide as the machine is high."""
    space = new_space(model, "extended-to-task")
    x, _, z = (float(value) for value in space.data.nodes[model.names.bodies["platform"]].x)
    half = 0.5 * float(space.reduced.size[0])
    return Grid(("x", "z"), ((x - half, x + half), (z - half, z + half)))


def scan(model: Model, grid: Grid, limit: float = LIMIT) -> xr.Dataset:
    """Scan a plane of poses about the start.

    Returns:
        On the grid: ``condition_gain``, ``condition_loss`` (NaN where the pose cannot be reached), ``is_in_range`` and
        ``is_safe``; attributes say the axes, the limit and the start.
    """
    space = new_space(model, "extended-to-task")
    place(model.tables, space.data)
    watch = Watch(model, space.data)
    node = model.tables.nodes[model.names.bodies["platform"]]
    start = space.data.q.copy()
    home = np.array(space.data.nodes[model.names.bodies["platform"]].x)
    first, second = (np.linspace(*span, count) for span, count in zip(grid.limits, grid.counts, strict=True))
    walker = Walker(model, space, watch, _coordinates(model, node, grid), limit)
    walker.spread(start, (first, second), home[[AXES.index(axis) for axis in grid.axes]])
    names = [f"platform_{axis}" for axis in grid.axes]
    attrs = {"title": model.scenario.name if model.scenario else "", "limit": limit, "axes": list(grid.axes)}
    attrs |= {f"start_{axis}": float(home[AXES.index(axis)]) for axis in grid.axes}
    fields = {key: (names, values, {"long_name": key.replace("_", " ")}) for key, values in walker.fields.items()}
    coords = {name: (name, values, {"units": "m"}) for name, values in zip(names, (first, second), strict=True)}
    return xr.Dataset(fields, coords, attrs)


def _coordinates(model: Model, node: object, grid: Grid) -> list[int]:
    """Entries of q that the grid's axes move."""
    k, labels = int(node.coordinate), "xyz" if int(node.column_count) == 6 else "xz"  # type: ignore[attr-defined]
    for axis in grid.axes:
        if axis not in labels:
            raise ScenarioError([Problem(f"the platform does not move along {axis}", "--scan", ",".join(grid.axes))])
    return [k + labels.index(axis) for axis in grid.axes]


class Walker:
    """Goes over the grid from the start outwards, so that every pose begins near a known one."""

    def __init__(self, model: Model, space: object, watch: Watch, where: list[int], limit: float) -> None:
        """Prepare empty fields."""
        self.model, self.space, self.watch, self.where, self.limit = model, space, watch, where, limit
        self.ranges = joint_ranges(model)
        self.fields: dict[str, np.ndarray] = {}
        self.signs: dict[str, float] = {}

    def spread(self, start: np.ndarray, axes: tuple[np.ndarray, np.ndarray], home: np.ndarray) -> None:
        """Fill the fields, nearest poses first."""
        shape = (len(axes[0]), len(axes[1]))
        self.fields = {"condition_gain": np.full(shape, np.nan), "condition_loss": np.full(shape, np.nan),
                       "is_in_range": np.zeros(shape, bool), "is_safe": np.zeros(shape, bool)}  # fmt: skip
        self._measure(start)
        steps = [max(axis[1] - axis[0], 1e-12) for axis in axes]
        points = [(i, j) for i in range(shape[0]) for j in range(shape[1])]
        points.sort(
            key=lambda p: ((axes[0][p[0]] - home[0]) / steps[0]) ** 2 + ((axes[1][p[1]] - home[1]) / steps[1]) ** 2
        )
        known: dict[tuple[int, int], np.ndarray] = {}
        for i, j in points:
            near = [(a, b) for a in (i - 1, i, i + 1) for b in (j - 1, j, j + 1) if (a, b) in known]
            guess = known[min(near, key=lambda p: abs(p[0] - i) + abs(p[1] - j))] if near else start
            q = self._reach(guess, (axes[0][i], axes[1][j]))
            if q is not None:
                known[i, j] = q
                is_safe = not near or any(self.fields["is_safe"][p] for p in near)
                self._fill(i, j, q, is_safe=is_safe)

    def _reach(self, guess: np.ndarray, target: tuple[float, float]) -> np.ndarray | None:
        space = self.space
        y = np.concatenate([guess, np.zeros(len(space.choice.kept))])  # type: ignore[attr-defined]
        y[self.where] = target
        space.reduced.counts[0].sign = 0  # type: ignore[attr-defined]
        code, _ = space.rate(0.0, y)  # type: ignore[attr-defined]
        return space.data.q.copy() if code == OK else None  # type: ignore[attr-defined]

    def _measure(self, q: np.ndarray) -> tuple[dict[str, float], dict[str, float]]:
        """Condition numbers and signs of the determinants; the first ones are those of the start."""
        J = self.watch.jacobians(q[None])
        conditions = {kind: float(values[0]) for kind, values in self.watch.conditions(J).items()}
        signs = {kind: float(np.linalg.slogdet(self.watch.matrix(kind, J[0]))[0]) for kind in conditions}
        self.signs = self.signs or signs
        return conditions, signs

    def _fill(self, i: int, j: int, q: np.ndarray, *, is_safe: bool) -> None:
        conditions, signs = self._measure(q)
        in_range = all(low - SLACK <= q[k] <= high + SLACK for _, k, low, high in self.ranges)
        for kind, value in conditions.items():
            self.fields[f"condition_{kind}"][i, j] = value
        self.fields["is_in_range"][i, j] = in_range
        good = in_range and signs == self.signs and max(conditions.values()) <= self.limit
        self.fields["is_safe"][i, j] = good and is_safe
