"""Calibration: exits, anchors, length offsets and stiffness from measurements, with what the data can tell.

    l_ki = l(A_i, b_i; pose_k) / (1 + c_i T_ki) + o_i,   min over A, b, o, c of the sum of squared differences     (1)
with the compliance c = 1/EA and measured tensions T where the stiffness is asked for (the measured lengths are then
unstrained ones, as winches count them), and c = 0 otherwise. For one cable dl/dA = u, dl/db = -R^T u: cables are
independent of each other when the poses are known. The singular values of the stacked matrix, its columns in units of
their own length, say which combinations the data cannot tell apart; those keep the values they begin with.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from taut.kernels.robots.columns import EXIT, LENGTH, PULL
from taut.robots.datasets import dataset
from taut.robots.from_model import Machine, robot_of
from taut.robots.least_squares import spread, step
from taut.robots.poses import reach_poses
from taut.robots.problems import refusal
from taut.robots.robot import Robot
from taut.robots.rotations import rotation

MOST_STEPS = 100
SETTLED = 1e-7  # largest change of lengths by the last step, relative to the size of the robot, of a fit that is taken
UNKNOWNS = ("exits", "anchors", "offsets", "stiffness")
WIDTHS = {"exits": 3, "anchors": 3, "offsets": 1, "stiffness": 1}


@dataclass(frozen=True)
class Calibration:
    """Geometry of a robot that fits measurements, and what the data tell of it."""

    robot: Robot
    unknowns: tuple[str, ...]  # what was fitted: exits, anchors, offsets, stiffness
    offsets: np.ndarray  # constant errors of the measured lengths [m], shape [n_cables]
    # standard deviations of the exits [m], shape [n_cables, 3]; 0: not asked for, NaN: the data do not determine it
    exit_deviation: np.ndarray
    anchor_deviation: np.ndarray  # standard deviations of the anchors [m], shape [n_cables, 3]; as for the exits
    offset_deviation: np.ndarray  # standard deviations of the offsets of the lengths [m], shape [n_cables]
    stiffness_deviation: np.ndarray  # standard deviations of the axial stiffness EA [N], shape [n_cables]
    residuals: np.ndarray  # length of the model less the measured one [m], shape [n_poses, n_cables]
    cost: float  # sum of squares of the residuals [m^2]
    conditions: np.ndarray  # condition number of every cable's scaled least-squares matrix [n_cables]
    names: tuple[str, ...]  # names of the unknowns of a cable, in the order of the covariances
    # covariances of the unknowns of every cable, the stiffness as its compliance 1/EA [1/N]; NaN: the data do not tell
    covariances: np.ndarray  # shape [n_cables, n_unknowns, n_unknowns]
    hidden: tuple[str, ...]  # unknowns that the data cannot distinguish, in words

    @property
    def correlations(self) -> np.ndarray:
        """Correlations of the unknowns of every cable [n_cables, n_unknowns, n_unknowns]; NaN where there are none."""
        size = np.sqrt(np.einsum("mkk->mk", self.covariances))
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.covariances / (size[:, :, None] * size[:, None, :])

    def to_xarray(self) -> xr.Dataset:
        """The record as an xarray dataset with units."""
        each = ("cable", "xyz")
        found = {
            "exit": (each, self.robot.exits, "m", "exits"),
            "anchor": (each, self.robot.anchors, "m", "anchors, platform frame"),
            "offset": (("cable",), self.offsets, "m", "offset of the length"),
            "exit_deviation": (each, self.exit_deviation, "m", "standard deviation"),
            "anchor_deviation": (each, self.anchor_deviation, "m", "standard deviation"),
            "offset_deviation": (("cable",), self.offset_deviation, "m", "standard deviation"),
            "axial_stiffness": (("cable",), self.robot.stiffness, "N", "axial stiffness EA"),
            "stiffness_deviation": (("cable",), self.stiffness_deviation, "N", "standard deviation"),
            "residual": (("pose", "cable"), self.residuals, "m", "length of the model less the measured one"),
            "condition": (("cable",), self.conditions, "1", "condition number of the scaled matrix"),
            "covariance": (("cable", "unknown", "unknown_2"), self.covariances, "m^2, m/N or 1/N^2", "covariance"),
        }
        coords = {"cable": self.robot.cables, "xyz": "xyz", "unknown": self.names, "unknown_2": self.names}
        return dataset(f"calibration: {self.robot.name}", coords, found, cost=self.cost)


@dataclass(frozen=True)
class Measured:
    """Measured poses and lengths of a calibration."""

    poses: Any  # measured poses of the platform [n_poses, n]
    lengths: np.ndarray  # measured lengths of the cables [m], shape [n_poses, n_cables]
    tensions: np.ndarray  # measured tensions [N], shape [n_poses, n_cables]; 0 where the stiffness is not asked for


@dataclass(frozen=True)
class Guess:
    """Numbers that are fitted."""

    robot: Robot
    offsets: np.ndarray  # constant errors of the measured lengths [m], shape [n_cables]
    compliances: np.ndarray  # compliances 1/EA of the cables [1/N], shape [n_cables]


def calibrate(machine: Machine, poses: Any, lengths: Any, *, unknowns: Any = ("exits", "offsets"), tensions: Any = None,
              **options: Any) -> Calibration:  # fmt: skip
    """Fit geometry, offsets and stiffness to measured poses, lengths and tensions, Eq. (1).

    Args:
        machine: Model, Scenario or Robot to begin with.
        poses: measured, shape [n_poses, n].
        lengths: measured [m], shape [n_poses, n_cables].
        unknowns: of exits, anchors, offsets and stiffness.
        tensions: measured [N], shape [n_poses, n_cables]; the stiffness needs them.
        options: of ``robot_of``.

    Raises:
        ScenarioError: too few poses, measurements of another shape, or numbers that do not settle.
    """
    robot, asked = robot_of(machine, **options), tuple(dict.fromkeys(unknowns))
    given = checked(robot, poses, lengths, tensions, asked)
    width, k, m = sum(WIDTHS[name] for name in asked), len(given.lengths), len(robot.cables)
    if k < width:
        raise refusal(f"{k} poses cannot tell {width} numbers per cable", at="poses", remedy="measure more poses")
    soft = 1.0 / robot.stiffness if "stiffness" in asked else np.zeros(m)
    guess, moved = Guess(robot, np.zeros(m), soft), np.zeros(1)
    for _ in range(MOST_STEPS):
        r, A = equations(guess, given, asked)
        steps = np.array([step(A[:, i], r[:, i]) for i in range(m)])
        guess = changed(guess, steps, asked)
        moved = np.abs(steps * np.abs(A).max(axis=0))
        if float(moved.max()) <= 1e-13 * (1.0 + float(np.abs(guess.robot.exits).max())):
            break
    if not float(moved.max()) <= SETTLED * (1.0 + float(np.abs(guess.robot.exits).max())):
        remedy = "begin with a scenario nearer to the machine, ask for fewer unknowns, or measure more poses"
        raise refusal("the unknowns do not settle", at="unknowns", value=asked, remedy=remedy)
    return judged(guess, equations(guess, given, asked), asked)


def checked(robot: Robot, poses: Any, lengths: Any, tensions: Any, asked: tuple[str, ...]) -> Measured:
    """Measurements that fit each other, or one clear answer."""
    measured = np.atleast_2d(np.asarray(lengths, float))
    k, m = len(np.atleast_2d(poses)), len(robot.cables)
    if measured.shape != (k, m) or not np.isfinite(measured).all():
        raise refusal(f"needs {k} rows of {m} lengths, one row per pose", at="lengths")
    if not asked or set(asked) - set(UNKNOWNS):
        raise refusal("is not known", at="unknowns", value=asked, remedy=f"of {', '.join(UNKNOWNS)}")
    if "stiffness" not in asked:
        return Measured(poses, measured, np.zeros((k, m)))
    pulls = np.atleast_2d(np.asarray(np.nan if tensions is None else tensions, float))
    if pulls.shape != (k, m) or not np.all(np.isfinite(pulls) & (pulls >= 0.0)):
        remedy = "columns NAME_tension in the file"
        raise refusal(f"the stiffness needs {k} rows of {m} tensions", at="tensions", remedy=remedy)
    return Measured(poses, measured, pulls)


def equations(guess: Guess, given: Measured, asked: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Differences [k, m] and their derivatives by each cable's unknowns [k, m, width]."""
    reached = reach_poses(guess.robot, given.poses)
    u, R = reached.cables[..., PULL : PULL + 3], rotation(reached.full[:, 3:])
    share, length = 1.0 / (1.0 + guess.compliances * given.tensions), reached.cables[..., LENGTH]
    parts = {"exits": share[..., None] * reached.cables[..., EXIT : EXIT + 3],
             "anchors": -share[..., None] * np.einsum("kji,kmj->kmi", R, u),
             "offsets": np.ones((*u.shape[:2], 1)),
             "stiffness": (-length * given.tensions * share**2)[..., None]}  # fmt: skip
    A = np.concatenate([parts[name] for name in UNKNOWNS if name in asked], axis=-1)
    return length * share + guess.offsets - given.lengths, A


def places(asked: tuple[str, ...]) -> dict[str, slice]:
    """Columns of every unknown in the least-squares matrix."""
    found, at = {}, 0
    for name in UNKNOWNS:
        if name in asked:
            found[name], at = slice(at, at + WIDTHS[name]), at + WIDTHS[name]
    return found


def changed(guess: Guess, steps: np.ndarray, asked: tuple[str, ...]) -> Guess:
    """The numbers after a step of every cable's unknowns."""
    own = {name: steps[:, columns] for name, columns in places(asked).items()}
    robot = replace(guess.robot, exits=guess.robot.exits + own.get("exits", 0.0),
                    anchors=guess.robot.anchors + own.get("anchors", 0.0))  # fmt: skip
    soft = guess.compliances + own["stiffness"][:, 0] if "stiffness" in own else guess.compliances
    return Guess(robot, guess.offsets + (own["offsets"][:, 0] if "offsets" in own else 0.0), soft)


def judged(guess: Guess, found: tuple[Any, Any], asked: tuple[str, ...]) -> Calibration:
    """Spread of the unknowns from the residuals, and what cannot be told."""
    (r, A), m, robot = found, len(guess.robot.cables), guess.robot
    names = [f"{name[:-1]} {axis}" for name in UNKNOWNS[:2] if name in asked for axis in "xyz"]
    names += ["offset"] * ("offsets" in asked) + ["stiffness"] * ("stiffness" in asked)
    deviations, conditions, hidden = np.zeros((m, A.shape[2])), np.zeros(m), []
    covariances = np.zeros((m, A.shape[2], A.shape[2]))
    for i, cable in enumerate(robot.cables):
        own = spread(A[:, i], r[:, i])
        deviations[i], conditions[i], covariances[i] = own.deviation, own.condition, own.covariance
        # as many poses as unknowns are met exactly, so that residuals say nothing about the spread
        unknown = np.full(A.shape[2], len(r) <= A.shape[2] - len(own.hidden)) | np.isnan(own.deviation)
        deviations[i, unknown] = covariances[i, unknown] = covariances[i, :, unknown] = np.nan
        hidden += [f"{cable}: {', '.join(names[k] for k in together)}" for together in own.hidden]
    parts = {name: np.zeros((m, WIDTHS[name])) for name in UNKNOWNS}
    parts |= {name: deviations[:, columns] for name, columns in places(asked).items()}
    soft_deviation, EA = parts["stiffness"][:, 0], np.array(robot.stiffness)
    if "stiffness" in asked:
        EA = np.where(guess.compliances > 0.0, 1.0 / np.where(guess.compliances > 0.0, guess.compliances, 1.0), np.inf)
        robot = replace(robot, stiffness=EA)
    return Calibration(
        robot=robot,
        unknowns=asked,
        offsets=guess.offsets,
        exit_deviation=parts["exits"],
        anchor_deviation=parts["anchors"],
        offset_deviation=parts["offsets"][:, 0],
        stiffness_deviation=soft_deviation * EA**2 if "stiffness" in asked else soft_deviation,
        residuals=r,
        cost=float(np.sum(r * r)),
        conditions=conditions,
        names=tuple(names),
        covariances=covariances,
        hidden=tuple(hidden),
    )
