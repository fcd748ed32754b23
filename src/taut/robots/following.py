"""Inverse dynamics of a cable robot: what its cables do while the platform follows the scenario's `motion`.

The motion gives place and turn with two exact derivatives, and so the wrench that the cables have to make
(``paths.py``, Eq. 1); tensions are distributed within their limits (``tensions.py``). A cable that shortens by -l'
under the tension f gives the platform the power
    P = -f l',   l' = -W^T [v; omega],                                                                             (1)
and the work of all of them is the change of the platform's energy, which is compared. Cables are straight and have no
mass. Where they stretch, a winch has to lead the unstrained length
    L0 = l EA / (EA + f).                                                                                          (2)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr
from scipy.interpolate import CubicSpline

from taut.model.turns import turn_rates
from taut.robots.from_model import Machine, read_robot, robot_of, scenario_of
from taut.robots.lengths import CableLengths, lengths
from taut.robots.paths import Path, unwrapped
from taut.robots.poses import spread
from taut.robots.problems import refusal
from taut.robots.robot import Robot
from taut.robots.rotations import euler_angles, exponential, rotation
from taut.robots.tensions import Tensions, tensions
from taut.scenario.cables.winch import DriverWinch
from taut.scenario.records.run import Initial
from taut.scenario.signals.records import SignalTable
from taut.scenario.start_pose import start_poses

SAMPLES = 401
OUT_OF_PLANE = 1e-9  # allowed velocity along fixed coordinates, relative to the largest velocity or to 1 (m/s, rad/s)
START = 1e-9  # distance from the start pose, and speed at the start, that count as zero [m, m/s]


@dataclass(frozen=True)
class Following:
    """Cables of a robot whose platform follows its motion."""

    name: str
    cables: tuple[str, ...]
    times: np.ndarray  # sampled times of the motion [s], shape [n_times]
    tensions: Tensions  # tensions along the motion
    lengths: CableLengths  # lengths of the cables along the motion
    speeds: np.ndarray  # rates of the cable lengths [m/s], shape [n_times, n_cables]
    unstrained: np.ndarray  # unstrained lengths, Eq. (2) [m], shape [n_times, n_cables]
    power: np.ndarray  # power that each cable gives to the platform, Eq. (1) [W], shape [n_times, n_cables]
    work: np.ndarray  # work of all cables since the start [J], shape [n_times]
    energy: np.ndarray  # energy of the platform, less that at the start [J], shape [n_times]
    # mass of the free cables at the start over that of the platform; the cables are taken as massless here
    cable_share: float

    @property
    def work_error(self) -> float:
        """Largest difference of work and energy [J]; NaN where there are no tensions."""
        return float(np.abs(self.work - self.energy).max())

    def to_xarray(self) -> xr.Dataset:
        """The record as an xarray dataset with units."""
        found = self.tensions.to_xarray()
        found.attrs["title"] = f"tensions along the motion: {self.name}"
        each = ("pose", "cable")
        for name, dims, values, unit, words in (
            ("cable_length", each, self.lengths.lengths, "m", "length from the exit to the anchor"),
            ("cable_speed", each, self.speeds, "m/s", "rate of the length"),
            ("cable_unstrained_length", each, self.unstrained, "m", "unstrained length"),
            ("cable_power", each, self.power, "W", "power given to the platform"),
            ("work", ("pose",), self.work, "J", "work of all cables"),
            ("energy", ("pose",), self.energy, "J", "change of the platform's energy"),
        ):
            found[name] = (dims, values, {"units": unit, "long_name": words})
        return found


def follow(machine: Machine, *, method: str = "qp", samples: int = SAMPLES, wrench: Any = None,
           **options: Any) -> Following:  # fmt: skip
    """Tensions, lengths, speeds and power of the cables along the motion that the scenario prescribes.

    Args:
        machine: Model or Scenario with a `motion` of the platform.
        method: of ``tensions``.
        samples: number of times, besides those at which the motion jumps.
        wrench: that acts on the platform besides gravity [N, N m].
        options: of ``robot_of``.

    Raises:
        ScenarioError: no motion, one of another body or out of the robot's plane, or cables that do not hold it.
    """
    scenario, body = scenario_of(machine, options.pop("body", None))
    if scenario is None or scenario.motion is None:
        remedy = "say it with motion: {offset: [x, y, z], rotation: [rx, ry, rz]}"
        raise refusal("the scenario prescribes no motion", at="motion", remedy=remedy)
    if scenario.motion.body != body:
        message = f"the motion is one of {scenario.motion.body}, but the cables hold {body}"
        raise refusal(message, at="motion.body")
    robot = robot_of(read_robot(scenario, body), **options)
    path = motion_path(scenario, robot, samples)
    pulls = tensions(robot, path, method=method, wrench=wrench)
    reached = lengths(robot, path)
    assert path.times is not None and reached.speeds is not None
    power = -pulls.tensions * reached.speeds  # Eq. (1)
    with np.errstate(invalid="ignore"):
        unstrained = np.where(np.isinf(robot.stiffness), reached.lengths,
                              reached.lengths / (1.0 + pulls.tensions / robot.stiffness))  # fmt: skip
    share = float(np.sum(reached.free[0] * robot.mass_per_length)) / max(robot.mass, 1e-300)
    return Following(
        name=robot.name,
        cables=robot.cables,
        times=path.times,
        tensions=pulls,
        lengths=reached,
        speeds=reached.speeds,
        unstrained=unstrained,
        power=power,
        work=integral(path.times, power.sum(axis=1)),
        energy=energies(robot, path, wrench),
        cable_share=share,
    )


def motion_path(scenario: Any, robot: Robot, samples: int) -> Path:
    """The scenario's motion as poses, twists and accelerations; at a jump of its derivatives, those after it."""
    motion = scenario.motion
    curves = [scenario.signal(spec) for spec in (*motion.translation(), *motion.turn())]
    R0, place = start_poses(scenario)[motion.body]
    origin = np.zeros(3) if motion.position is not None else place
    duration = scenario.run.duration
    jumps = [t for curve in curves for t in curve.breakpoints(duration) if 0.0 < t < duration]
    times = np.unique(np.concatenate([np.linspace(0.0, duration, samples), jumps]))
    values = np.array([[[float(x) for x in curve.evaluate(t)] for curve in curves] for t in times])
    turns = [turn_rates(*row[3:].T) for row in values]
    angles = [euler_angles(exponential(row[3:, 0]) @ R0) for row in values]
    full = unwrapped(np.hstack([origin + values[:, :3, 0], np.array(angles)]))
    twists = np.hstack([values[:, :3, 1], np.array([omega for omega, _ in turns])])
    seconds = np.hstack([values[:, :3, 2], np.array([alpha for _, alpha in turns])])
    fixed = [k for k in range(6) if k not in robot.rows]
    if fixed and np.abs(twists[:, fixed]).max() > OUT_OF_PLANE * max(np.abs(twists).max(), 1.0):
        remedy = f"this robot moves along {', '.join(robot.coordinates)}"
        raise refusal("the motion leaves what the robot can do", at="motion", remedy=remedy)
    return Path(full, times, twists, seconds)


def integral(times: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Integral of samples since the start, by a cubic spline; NaN where a sample is NaN."""
    if not np.isfinite(rate).all():
        return np.full(len(rate), np.nan)
    whole = CubicSpline(times, rate).antiderivative()
    return whole(times) - whole(times[0])


def energies(robot: Robot, path: Path, wrench: Any) -> np.ndarray:
    """Kinetic energy and height of the platform, and what an external wrench took, less that at the start."""
    assert path.twists is not None and path.times is not None
    R, v, omega = rotation(path.full[:, 3:]), path.twists[:, :3], path.twists[:, 3:]
    c = R @ robot.com
    inertia = R @ robot.inertia @ np.swapaxes(R, 1, 2)
    moving = 0.5 * robot.mass * np.sum((v + np.cross(omega, c)) ** 2, axis=1)
    moving += 0.5 * np.einsum("ki,kij,kj->k", omega, inertia, omega)
    total = moving - robot.mass * (path.full[:, :3] + c) @ robot.gravity
    if wrench is not None:
        total = total - integral(path.times, path.twists @ spread(robot, wrench))
    return total - total[0]


def led_scenario(machine: Machine, found: Following) -> Any:
    """The scenario whose winches lead the unstrained lengths that were found, to be run: a check by forward dynamics.

    Raises:
        ScenarioError: cables of another kind than spring, a motion that does not start at rest at the start pose, or
            tensions that do not exist on the whole way.
    """
    scenario, body = scenario_of(machine)
    if not found.tensions.is_within.all():
        raise refusal("there are no tensions within the limits on the whole way", at="motion")
    for i, cable in enumerate(scenario.cables):
        if cable.kind != "spring":
            remedy = "cables without mass that stretch are led: kind: spring"
            raise refusal("cannot be led along a motion", at=f"cables[{i}].kind", value=cable.kind, remedy=remedy)
    home = read_robot(scenario, body)
    away = np.abs(home.full_poses(found.tensions.poses[0])[0] - home.home).max()
    if away > START or np.abs(found.speeds[0]).max() > START:
        raise refusal("must start at rest where the platform is at the start", at="motion")
    cables, drivers = [], {}
    for cable in scenario.cables:
        k = found.cables.index(cable.name)
        own = float(found.unstrained[0, k])
        payout = SignalTable(times=tuple(found.times), values=tuple(found.unstrained[:, k] - own))
        drivers[f"lead-{cable.name}"] = DriverWinch.model_validate({"kind": "winch", "payout": payout, "start": "raw"})
        cables.append(cable.model_copy(update={"length": own, "pretension": None, "winch": f"lead-{cable.name}"}))
    changes = {"cables": tuple(cables), "drivers": {**kept_drivers(scenario), **drivers}, "controllers": {},
               "motion": None, "initial": Initial(), "name": f"{scenario.name}, led"}  # fmt: skip
    return scenario.model_copy(update=changes)


def kept_drivers(scenario: Any) -> dict[str, Any]:
    """Drivers that are no winches."""
    return {name: driver for name, driver in scenario.drivers.items() if driver.kind != "winch"}
