"""Workspaces over grids of positions: which of them belong to it, by how much, at one orientation or at several."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from taut.results.store import save_dataset
from taut.robots.from_model import Machine, robot_of, scenario_of
from taut.robots.problems import refusal
from taut.robots.robot import COORDINATES, Robot
from taut.robots.workspaces.fields import Demand, Field, check_demand, field_of, is_inside
from taut.robots.workspaces.question import question
from taut.robots.workspaces.region import read_grid, read_orientations, read_region
from taut.robots.workspaces.surface import Surface, boundary_surface, shells
from taut.robots.workspaces.volume import Volume, measure_volume
from taut.views.robots.bands import band_levels, largest_margin
from taut.views.robots.slices import PLANES, middles

FINE, FINER = 81, 161  # grid points along an axis of a slice that is drawn, in space and in a plane
SHELLS = (1 / 3, 2 / 3)  # surfaces of equal margin are drawn at these shares of the largest margin


@dataclass(frozen=True)
class Workspace:
    """A workspace on a grid of positions."""

    name: str
    kind: str  # kind of the workspace, such as wrench-feasible
    axes: dict[str, np.ndarray]  # grid points along every coordinate, by its name [m]
    orientations: np.ndarray  # angles of the orientations asked for [rad], shape [n_orientations, n_angles]
    values: np.ndarray  # smallest margin over the orientations: total orientation workspace, shape of the grid
    best: np.ndarray  # largest margin over the orientations: inclusion workspace, shape of the grid
    counts: np.ndarray  # number of grid points inside, for every orientation
    demand: Demand  # what a pose must meet to count as inside
    robot: Robot = field(repr=False)
    question: dict[str, str]  # what was asked, in words by key
    volume: Volume | None = None  # volume, area or length, if it was asked for
    surface: Surface | None = field(default=None, repr=False)  # boundary of the workspace, if it was asked for
    shells: list[Surface] = field(default_factory=list, repr=False)  # surfaces of equal margin inside the workspace
    # margins in fine planes through the middle, by plane
    slices: dict[str, np.ndarray] = field(default_factory=dict, repr=False)
    scenario: Any = field(default=None, repr=False)  # the scenario that the robot was read from; None: a robot alone
    body: str = "platform"  # name of the body that is the platform

    @property
    def inside(self) -> np.ndarray:
        """Which grid points belong to the workspace at all orientations."""
        return is_inside(self.values, self.kind)

    @property
    def reachable(self) -> np.ndarray:
        """Which grid points belong to the workspace at one orientation at least."""
        return is_inside(self.best, self.kind)

    def to_xarray(self) -> xr.Dataset:
        """The workspace as a dataset with units, on its grid, with the robot at its start so that views can draw it."""
        from taut.robots.workspaces.dataset import workspace_dataset

        return workspace_dataset(self)

    def save(self, path: str | Path) -> Path:
        """Write it as a NetCDF file, which ``taut view`` and ``taut report`` show; whole or not at all."""
        return save_dataset(self.to_xarray(), path)


def workspace(machine: Machine, region: Any = None, *, grid: Any = None, orientations: Any = None,  # noqa: PLR0913
              volume: float | None = None, surface: bool | str = False, robot: Any = None,
              **demands: Any) -> Workspace:  # fmt: skip
    """Which positions of a region belong to a workspace.

    Args:
        machine: Model, Scenario or Robot.
        region: lowest and highest value by coordinate, {"x": (-2, 2), "z": 1.5}; one number is a slice, what is not
            named spans the exits (and, of suspended robots, as far below the start); none: nothing is named.
        grid: grid points along every axis, or a number for all.
        orientations: angles of the platform [rad], one or many; none: those at the start.
        volume: relative uncertainty wanted of its volume, above 0 and below 1; none: not asked for.
        surface: whether to find its boundary as triangles, and for pictures two surfaces of equal margin inside and
            fine slices (three coordinates only); "space": if there are three, and of two a finer plane.
        robot: options of ``robot_of`` in a mapping.
        demands: of ``Demand``: kind, wrench, external, length, distance, twist, speed, stiffness, ...

    Raises:
        ScenarioError: a region, grid, kind or orientation that cannot be used; a robot that lacks what it needs.
    """
    options = dict(robot or {})
    own, (scenario, body) = robot_of(machine, **options), scenario_of(machine, options.get("body"))
    demand = new_demand(demands)
    if volume is not None and not 0.0 < volume < 1.0:
        raise refusal("must be a relative uncertainty between 0 and 1", at="volume", value=volume)
    spans, fixed = read_region(own, region)
    counts = read_grid(own, spans, grid)
    axes = {name: np.linspace(*span, count) for (name, span), count in zip(spans.items(), counts, strict=True)}
    is_drawn = bool(surface) and len(axes) > 1
    surface = len(axes) == 3 if surface == "space" else bool(surface)
    turns = read_orientations(own, orientations)
    field_at = position_fields(own, demand, spans, fixed, turns)
    points = np.stack(np.meshgrid(*axes.values(), indexing="ij"), axis=-1).reshape(-1, len(axes))
    found = np.array([one(points) for one in field_at])
    total: Field = lambda places: np.min([one(places) for one in field_at], axis=0)  # noqa: E731
    box, values = np.array(list(spans.values())).T, found.min(axis=0).reshape(counts)
    return Workspace(
        name=own.name,
        kind=demand.kind,
        axes=axes,
        orientations=turns,
        values=values,
        best=found.max(axis=0).reshape(counts),
        counts=is_inside(found, demand.kind).sum(axis=1),
        demand=demand,
        robot=own,
        question=question(own, demand, spans, fixed, turns),
        volume=None if volume is None else measure_volume(total, box, demand.kind, volume),
        surface=boundary_surface(total, box, counts, demand.kind) if surface else None,
        shells=shells(total, box, counts, shell_levels(values, demand.kind)) if surface else [],
        slices=fine_slices(total, axes, is_inside(values, demand.kind)) if is_drawn else {},
        scenario=scenario,
        body=body,
    )


def shell_levels(values: np.ndarray, kind: str) -> list[float]:
    """Two of the levels at which pictures change colour, near one and two thirds of the largest margin."""
    top = largest_margin(values, is_inside(values, kind))
    levels = band_levels(top)[1:-1]
    return sorted({float(levels[np.argmin(np.abs(levels - share * top))]) for share in SHELLS}) if len(levels) else []


def fine_slices(total: Field, axes: dict[str, np.ndarray], inside: np.ndarray) -> dict[str, np.ndarray]:
    """Margins on finer grids: in the three planes through the middle, or in the plane of the workspace."""
    at = {name: axis[k] for (name, axis), k in zip(axes.items(), middles(inside), strict=True)}
    found = {}
    for plane, across in PLANES.items():
        if not set(plane) <= set(axes):
            continue
        fine = {name: fine_axis(axes, name) for name in plane}
        sides = [np.array([at[name]]) if name == across else fine[name] for name in axes]
        points = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, len(axes))
        found[plane] = total(points).reshape([len(fine[name]) for name in plane])
    return found


def fine_axis(axes: dict[str, np.ndarray], name: str) -> np.ndarray:
    """Points of a slice along an axis, never fewer than those of the grid."""
    axis = axes[name]
    return np.linspace(axis[0], axis[-1], max(len(axis), FINE if len(axes) == 3 else FINER))


def new_demand(given: dict[str, Any]) -> Demand:
    """A demand from its keys; unknown keys are refused."""
    known = [name for name in Demand.__dataclass_fields__ if name != "reached"]
    for name in given:
        if name not in known:
            raise refusal("is no demand on a workspace", at=name, remedy=f"one of {', '.join(known)}")
    demand = Demand(**given)
    check_demand(demand, set(given) - {"kind"})
    return demand


def position_fields(robot: Robot, demand: Demand, spans: Any, fixed: Any, turns: np.ndarray) -> list[Field]:
    """The demand as functions of the positions that vary, one for each orientation."""
    values = field_of(robot, demand)
    names = [COORDINATES[k] for k in robot.rows]

    def at(turn: np.ndarray) -> Field:
        def found(places: np.ndarray) -> np.ndarray:
            poses = np.zeros((len(places), len(names)))
            for column, name in enumerate(names):
                if name in spans:
                    poses[:, column] = places[:, list(spans).index(name)]
                elif name in fixed:
                    poses[:, column] = fixed[name]
            poses[:, len(names) - len(turn) :] = turn
            return values(poses)

        return found

    return [at(turn) for turn in turns]
