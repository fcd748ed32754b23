"""The fastest time law of a path within limits of tensions and of cable speeds.

Along the path q(s) with the law s(t), and x = s'^2, u = s'', the cables have to make
    w = w_0(s) + u w_1(s) + x w_2(s),                                                                             (1)
w_0 against gravity, w_1 from q' as an acceleration, w_2 from q'' and the velocity q' alone. A cable whose length
changes by l'(s) runs at the speed |l'| sqrt(x). Between the points s_i of a grid u is constant, so that
    x_(i+1) = x_i + 2 (s_(i+1) - s_i) u_i.                                                                        (2)
Limits hold at both ends of every interval [Pham2018]: with the beginning alone, the law has notches where the sign of
the acceleration that a cable at its limit allows changes. Backwards from rest at the end, the largest x_i is found from
which some u leads to what was found of the next point; forwards from rest at the start the largest u is taken that
leads there. The u that are possible at an x lie between two facets of the available wrenches
(``kernels/robots/facets.py``). A platform that can rest at every point of the path can stop there, so that no x below
the largest is lost.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr
from scipy.interpolate import CubicSpline

from taut.kernels.robots.facets import Facets, new_facets
from taut.kernels.robots.grids import reach_rows
from taut.robots.datasets import dataset
from taut.robots.from_model import Machine, robot_of
from taut.robots.paths import Path, required_wrenches, sampled_path, unwrapped
from taut.robots.poses import filled, reach_poses
from taut.robots.problems import refusal
from taut.robots.robot import Robot

HALVINGS = 60
SAMPLES = 201
SAFE = 1e-9  # share by which the squared rate x stays below its largest value, so that rounding breaks no limit


@dataclass(frozen=True)
class TimedPath:
    """A path with its fastest time law."""

    name: str
    cables: tuple[str, ...]
    coordinates: tuple[str, ...]
    times: np.ndarray  # times of the points [s], shape [n]
    poses: np.ndarray  # poses at these times [n, freedoms]
    path: Path  # path of these poses, with twists and their rates
    parameter: np.ndarray  # path parameter s at these times [n]
    rates: np.ndarray  # rate of the path parameter s' [1/s], shape [n]
    speeds: np.ndarray  # speeds of the cables [m/s], shape [n, n_cables]
    margins: np.ndarray  # capacity margin of the moving platform, the smaller of both sides of a point [N], shape [n]
    speed_limit: float  # largest speed allowed for a cable [m/s]

    @property
    def duration(self) -> float:
        """Duration of the motion from rest to rest [s]."""
        return float(self.times[-1])

    def to_xarray(self) -> xr.Dataset:
        """The record as an xarray dataset with units."""
        found = {
            "time": (("pose",), self.times, "s", "time"),
            "platform_pose": (("pose", "coordinate"), self.poses, "m or rad", "pose of the platform"),
            "parameter": (("pose",), self.parameter, "1", "parameter of the path"),
            "rate": (("pose",), self.rates, "1/s", "rate of the parameter"),
            "cable_speed": (("pose", "cable"), self.speeds, "m/s", "rate of the length"),
            "margin": (("pose",), self.margins, "N", "capacity margin of the moving platform"),
        }
        coords = {"cable": self.cables, "coordinate": self.coordinates}
        return dataset(f"fastest motion: {self.name}", coords, found, duration=self.duration)


def fastest_times(machine: Machine, poses: Any, *, speed: float = np.inf, external: Any = None, half: Any = 0.0,  # noqa: PLR0913
                  samples: int = SAMPLES, **options: Any) -> TimedPath:  # fmt: skip
    """The time law in which a path is gone fastest, from rest to rest, Eqs. (1) and (2).

    Args:
        machine: Model, Scenario or Robot with limits of tensions.
        poses: at least four, shape [n_poses, n]; a cubic spline leads through them.
        speed: largest speed of any cable [m/s].
        external: wrench that acts besides gravity [N, N m].
        half: half widths of a box of wrenches that must be possible besides [N, N m].
        samples: points of the grid.
        options: of ``robot_of``.

    Raises:
        ScenarioError: the platform cannot rest somewhere on the path, or the path is none.
    """
    robot = robot_of(machine, **options)
    robot.need_enough_cables()
    robot.need_upper_limits()
    if not speed > 0.0:
        raise refusal("must be positive", at="speed", value=speed)
    if not 10 <= samples <= 100_000:
        raise refusal("must be from 10 to 100000", at="samples", value=samples)
    unit = unit_path(robot, poses, samples)
    law = Law(robot, unit, speed, (external, filled(half, robot.freedoms)))
    x, u = law.solve()
    return timed(robot, unit, x, u, law)


def unit_path(robot: Robot, poses: Any, samples: int) -> Path:
    """The path at unit rate of its parameter, which stands for time, at the points of the grid."""
    given = robot.full_poses(poses)
    s = parameters(given)
    return sampled_path(CubicSpline(s, unwrapped(given)), np.linspace(0.0, s[-1], samples))


def parameters(full: np.ndarray) -> np.ndarray:
    """A parameter of the path: lengths of the chords, angles as metres."""
    steps = np.linalg.norm(np.diff(unwrapped(full), axis=0), axis=1)
    if len(full) < 4 or not np.all(steps > 0.0):
        raise refusal("needs at least four poses, each another than the one before", at="poses")
    return np.append(0.0, np.cumsum(steps))


class Law:
    """Bounds of Eq. (1) along a path at unit rate."""

    def __init__(self, robot: Robot, unit: Path, speed: float, load: tuple[Any, np.ndarray]) -> None:
        """Find the wrenches of Eq. (1), and refuse a path on which the platform cannot rest."""
        external, self.half = load
        assert unit.times is not None and unit.twists is not None
        reached = reach_poses(robot, unit.full[:, robot.rows])
        self.W, self.steps, self.speed = reached.W, np.diff(unit.times), speed
        self.rest = required_wrenches(robot, Path(unit.full), external)
        pushed = Path(unit.full, unit.times, np.zeros_like(unit.twists), unit.twists)
        self.first = required_wrenches(robot, pushed, external) - self.rest
        self.second = required_wrenches(robot, unit, external) - self.rest
        self.rates = -np.einsum("knm,kn->km", self.W, unit.twists[:, robot.rows])
        self.lo, self.hi = np.array(robot.tension_min), np.array(robot.tension_max)
        self.work: Facets = new_facets(self.W.shape[2], self.W.shape[1])
        self.found = np.zeros((2, 1))
        with np.errstate(divide="ignore"):
            self.most = (speed / np.abs(self.rates).max(axis=1)) ** 2
        margins = np.array([self.margin(i, self.rest[i]) for i in range(len(self.W))])
        if margins.min() < 0.0:
            k = int(margins.argmin())
            own = unit.full[k, robot.rows]
            where = ", ".join(f"{name} {value:.6g}" for name, value in zip(robot.coordinates, own, strict=True))
            message = f"the platform cannot rest at {where}: {-margins[k]:.6g} N are missing"
            raise refusal(message, at="poses", remedy="move the path, or allow other tensions")

    def reach(self, i: int, wrench: np.ndarray, direction: np.ndarray) -> tuple[float, float]:
        """Capacity margin at a wrench, and how far along a direction the wrenches go on."""
        reach_rows(self.W[i : i + 1], wrench[None], direction[None], self.half, self.lo, self.hi, 0, 1, self.found[0],
                   self.found[1], self.work)  # fmt: skip
        return float(self.found[0, 0]), float(self.found[1, 0])

    def margin(self, i: int, wrench: np.ndarray) -> float:
        """Capacity margin at point i."""
        return self.reach(i, wrench, self.first[i])[0]

    def range(self, i: int, x: float) -> tuple[float, float]:
        """Smallest and largest u behind point i for x; empty where the first is larger."""
        # with Eq. (2) the wrench at the end of the interval depends on u alone as well
        onward = self.first[i + 1] + 2.0 * self.steps[i] * self.second[i + 1]
        begin, end = self.span(i, x, self.first[i]), self.span(i + 1, x, onward)
        return max(begin[0], end[0]), min(begin[1], end[1])

    def span(self, i: int, x: float, direction: np.ndarray) -> tuple[float, float]:
        """Smallest and largest u for which the wrench of point i for x, and u along a direction, can be made."""
        wrench = self.rest[i] + x * self.second[i]
        return -self.reach(i, wrench, -direction)[1], self.reach(i, wrench, direction)[1]

    def leads_on(self, i: int, x: float, ahead: float) -> bool:
        """Whether some u leads from x at point i to at most ``ahead`` at the next one."""
        low, high = self.range(i, x)
        least, most = -x / (2.0 * self.steps[i]), (ahead - x) / (2.0 * self.steps[i])
        return max(low, least) <= min(high, most)

    def largest(self, i: int, ahead: float) -> float:
        """Largest squared speed x at point i from which the next point can be reached, by bisection."""
        low, high = 0.0, max(ahead, 1e-12)
        while high < self.most[i] and self.leads_on(i, high, ahead):
            low, high = high, 4.0 * high
        high = min(high, float(self.most[i]))
        if np.isfinite(self.most[i]) and high == self.most[i] and self.leads_on(i, high, ahead):
            return high
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.leads_on(i, middle, ahead) else (low, middle)
        return low

    def solve(self) -> tuple[np.ndarray, np.ndarray]:
        """Squared speeds x at the points of the path and accelerations u between them."""
        n = len(self.W)
        ahead = np.zeros(n)
        for i in range(n - 2, -1, -1):
            ahead[i] = self.largest(i, ahead[i + 1]) * (1.0 - SAFE)
        x, u = np.zeros(n), np.zeros(n - 1)
        for i in range(n - 1):
            u[i] = min(self.range(i, x[i])[1], (ahead[i + 1] - x[i]) / (2.0 * self.steps[i]))
            x[i + 1] = max(x[i] + 2.0 * self.steps[i] * u[i], 0.0)  # Eq. (2)
        return x, u


def timed(robot: Robot, unit: Path, x: np.ndarray, u: np.ndarray, law: Law) -> TimedPath:
    """Times, velocities and accelerations of a law; at a point, u of what follows."""
    assert unit.times is not None and unit.twists is not None and unit.accelerations is not None
    rates = np.sqrt(x)
    times = np.append(0.0, np.cumsum(2.0 * law.steps / (rates[:-1] + rates[1:])))
    after, before = np.append(u, u[-1]), np.append(u[0], u)
    path = Path(unit.full, times, rates[:, None] * unit.twists,
                x[:, None] * unit.accelerations + after[:, None] * unit.twists)  # fmt: skip
    still = law.rest + x[:, None] * law.second
    sides = [still + given[:, None] * law.first for given in (before, after)]
    margins = np.array([min(law.margin(i, side[i]) for side in sides) for i in range(len(x))])
    return TimedPath(
        name=robot.name,
        cables=robot.cables,
        coordinates=robot.coordinates,
        times=times,
        poses=unit.full[:, robot.rows],
        path=path,
        parameter=unit.times,
        rates=rates,
        speeds=rates[:, None] * law.rates,
        margins=margins,
        speed_limit=law.speed,
    )
