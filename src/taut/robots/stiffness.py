"""Stiffness of a platform on straight elastic cables without mass, and how it swings.

With small motions xi = (dp, dtheta), unstrained lengths held, K = -dw/dxi of cables and gravity about the platform's
origin is [Behzadipour 2006]
    K = sum_i EA/L0 a a^T  +  sum_i T J^T D J  +  [0, 0; 0, -sum_i T S(u) S(R b) - S(m g) S(R c)]                   (1)
with a the column of W, J = [1, -S(R b)], S(x) y = x x y, and the unstrained length L0 = l EA/(EA + T). For a cable from
a point D = (1 - u u^T)/l; over a pulley, with n = cos th e + sin th k and s = k x e (``kernels/robots/reach.py``),
    D = n n^T/free + (sin th/q) s s^T.                                                                             (2)
A rope over guides has -T dW/dxi instead, by complex steps (``kernels/robots/ways.py``).                           (3)
The first sum is the passive part, the rest the active one, of tensions and weight. In balance K is symmetric; the rest
is stable if it is positive definite. Frequencies are those of K phi = omega^2 M phi.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr
from scipy.linalg import eigh

from taut.kernels.robots.columns import COSINE, FREE, LENGTH, PULL, SINE, SPREAD, TOWARDS
from taut.kernels.robots.ways import slope_rows
from taut.model.balance import nearest_tensions
from taut.robots.datasets import dataset
from taut.robots.from_model import Machine, robot_of
from taut.robots.paths import as_path, required_wrenches
from taut.robots.poses import Reached, reach_poses, spread
from taut.robots.problems import refusal
from taut.robots.robot import Robot
from taut.robots.rotations import cross_matrix, rotation
from taut.robots.tensions import tensions as distribute


@dataclass(frozen=True)
class Stiffness:
    """Stiffness of a platform at one pose, and its small motions."""

    name: str
    coordinates: tuple[str, ...]
    pose: np.ndarray  # pose of the platform [n]
    cables: tuple[str, ...]
    tensions: np.ndarray  # tensions of the cables [N], shape [n_cables]
    matrix: np.ndarray  # stiffness matrix K, Eq. (1) [N/m, N, N m], shape [n, n]
    passive: np.ndarray  # part of K from the elasticity of the cables [n, n]
    active: np.ndarray  # part of K from tensions and weight [n, n]
    mass: np.ndarray  # mass matrix M about the platform's origin [kg, kg m, kg m^2], shape [n, n]
    eigenvalues: np.ndarray  # eigenvalues of K, smallest first [n]
    passive_eigenvalues: np.ndarray  # eigenvalues of the part of K from elasticity, smallest first [n]
    frequencies: np.ndarray  # natural frequencies [Hz], lowest first; negative for an unstable direction
    shapes: np.ndarray  # shapes of the modes, scaled to a largest entry of 1 [mode, n]
    load: np.ndarray  # additional wrench on the platform [N, N m], shape [n]
    deflection: np.ndarray  # change of the pose that the load causes [m, rad], shape [n]
    method: str = "given"  # how the tensions were found: start, given, or a method of ``tensions``

    @property
    def loose(self) -> tuple[str, ...]:
        """Cables without tension; they count as stiff, but hold only against motions that stretch them."""
        return tuple(name for name, pull in zip(self.cables, self.tensions, strict=True) if pull <= 0.0)

    @property
    def is_stable(self) -> bool:
        """Whether every small motion is opposed."""
        return bool(self.eigenvalues[0] > 0.0)

    def to_xarray(self) -> xr.Dataset:
        """The record as an xarray dataset with units."""
        square, line = ("coordinate", "coordinate_2"), ("coordinate",)
        found = {
            "platform_pose": (line, self.pose, "m or rad", "pose of the platform"),
            "cable_tension": (("cable",), self.tensions, "N", "tension"),
            "stiffness": (square, self.matrix, "N/m, N or N m", "stiffness matrix"),
            "stiffness_passive": (square, self.passive, "N/m, N or N m", "elastic part"),
            "stiffness_active": (square, self.active, "N/m, N or N m", "part of tensions and weight"),
            "mass": (square, self.mass, "kg, kg m or kg m^2", "mass matrix about the origin"),
            "eigenvalue": (("mode",), self.eigenvalues, "N/m or N m", "eigenvalues of the stiffness matrix"),
            "frequency": (("mode",), self.frequencies, "Hz", "natural frequencies"),
            "shape": (("mode", "coordinate"), self.shapes, "1", "shapes of the modes"),
            "load": (line, self.load, "N or N m", "wrench on the platform"),
            "deflection": (line, self.deflection, "m or rad", "what it does"),
        }
        coords = {"cable": self.cables, "coordinate": self.coordinates, "coordinate_2": self.coordinates}
        return dataset(f"stiffness: {self.name}", coords, found, is_stable=int(self.is_stable))


def stiffness(machine: Machine, pose: Any = None, *, tensions: Any = None, method: str | None = None, load: Any = None,
              **options: Any) -> Stiffness:  # fmt: skip
    """Stiffness, natural frequencies and deflection under a load at a pose.

    Args:
        machine: Model, Scenario or Robot; its cables need an axial stiffness.
        pose: none: at the start.
        tensions: of the cables [N]; none: distributed by ``method`` against gravity.
        method: start: those nearest to the tensions that the machine starts with, by pretension or lengths; or one of
            ``tensions``; none: start if these are known and hold the platform there, else barycentre.
        load: wrench put on the platform [N, N m].
        options: of ``robot_of``.

    Raises:
        ScenarioError: cables without stiffness, or a pose that tensions within the limits do not hold.
    """
    robot = robot_of(machine, **options)
    if not np.isfinite(robot.stiffness).all():
        remedy = "cables that do not stretch have none; give axial_stiffness"
        raise refusal("the axial stiffness of the cables is not known", at="cables", remedy=remedy)
    own = robot.start if pose is None else np.asarray(pose, float)
    reached = reach_poses(robot, own)
    f, how = np.broadcast_to(0.0 if tensions is None else tensions, len(robot.cables)), "given"
    if tensions is None:
        f, how = held_tensions(robot, own, method)
    passive, active = (part[0] for part in stiffness_parts(robot, reached, np.array([f])))
    K, M = passive + active, mass_matrix(robot, reached.full[0])
    frequencies, shapes = small_motions(0.5 * (K + K.T), M)
    wrench = spread(robot, load)[robot.rows]
    return Stiffness(
        name=robot.name,
        coordinates=robot.coordinates,
        pose=own,
        cables=robot.cables,
        tensions=np.array(f),
        matrix=K,
        passive=passive,
        active=active,
        mass=M,
        eigenvalues=np.linalg.eigvalsh(0.5 * (K + K.T)),
        passive_eigenvalues=np.linalg.eigvalsh(passive),
        frequencies=frequencies,
        shapes=shapes,
        load=wrench,
        deflection=deflected(K, wrench),
        method=how,
    )


def deflected(K: np.ndarray, wrench: np.ndarray) -> np.ndarray:
    """Small motion under a load."""
    if not wrench.any():
        return np.zeros(len(K))
    try:
        return np.linalg.solve(K, wrench)
    except np.linalg.LinAlgError:
        message = "the platform gives way without resistance: some motion has no stiffness"
        raise refusal(message, at="load", remedy="take another pose, or anchors that are farther apart") from None


def small_motions(K: np.ndarray, M: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies [Hz], slowest first, and shapes; infinite ones where a motion has no inertia."""
    masses = np.linalg.eigvalsh(M)
    if masses[0] > 1e-14 * masses[-1]:
        squares, vectors = eigh(K, M)
    else:
        if np.linalg.eigvalsh(K)[0] <= 0.0:
            raise refusal("a motion has neither inertia nor stiffness", at="platform", remedy="give it an inertia")
        inverse, vectors = eigh(M, K)
        with np.errstate(divide="ignore"):
            squares = np.where(inverse > 1e-14 * inverse[-1], 1.0 / inverse, np.inf)[::-1]
        vectors = vectors[:, ::-1]
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=0)[None], 0)
    return np.sign(squares) * np.sqrt(np.abs(squares)) / (2 * np.pi), (vectors / largest).T


def held_tensions(robot: Robot, pose: np.ndarray, method: str | None) -> tuple[np.ndarray, str]:
    """Tensions at rest and how they were found; refuses a pose that no tensions hold."""
    if method == "start" or (method is None and robot.start_tensions is not None):
        found = start_tensions(robot, pose)
        if found is not None:
            return found, "start"
        if method is not None:
            is_known = robot.start_tensions is not None
            why = "none near those at the start hold the platform without a cable that pushes" if is_known else (
                "the tensions at the start are not known")  # fmt: skip
            remedy = "take another pose" if is_known else "give initial.pretension, or another method"
            raise refusal(why, at="method", value=method, remedy=remedy)
    method = method or "barycentre"
    if method == "barycentre" and not np.isfinite(robot.tension_max).all():
        method = "qp"
    found = distribute(robot, pose, method=method)
    if not found.is_within[0]:
        raise refusal(f"the platform does not rest there: {found.outcomes[0]}", at="pose", remedy="take another pose")
    return found.tensions[0], method


def start_tensions(robot: Robot, pose: np.ndarray) -> np.ndarray | None:
    """Tensions that hold the platform and are nearest to those at the start; none: unknown, or a cable would push."""
    if robot.start_tensions is None:
        return None
    w = required_wrenches(robot, as_path(robot, pose, None), None)[0]
    found, left = nearest_tensions(reach_poses(robot, pose).W[0], w, np.asarray(robot.start_tensions))
    return found if left == 0.0 and np.all(found >= 0.0) else None


def stiffness_parts(
    robot: Robot, reached: Reached, f: np.ndarray, is_taut: Any = True
) -> tuple[np.ndarray, np.ndarray]:
    """Passive and active part of Eq. (1) at poses, shape [n_poses, n, n], for tensions [n_poses, n_cables]."""
    cables, rows = reached.cables, robot.rows
    R = rotation(reached.full[:, 3:])
    arms = np.einsum("kij,mj->kmi", R, robot.anchors)
    u, strained = cables[..., PULL : PULL + 3], cables[..., LENGTH]
    a = np.swapaxes(reached.full_W, 1, 2)
    is_laid = np.array([bool(rope) for rope in robot.ropes])
    passive = np.einsum("km,kmi,kmj->kij", np.where(is_taut, (robot.stiffness + f) / strained, 0.0), a, a)
    J = np.concatenate([np.broadcast_to(np.eye(3), (*arms.shape, 3)), -skew(arms)], axis=-1)
    plain = np.where(is_laid, 0.0, f)
    active = np.einsum("km,kmci,kmcd,kmdj->kij", plain, J, bending(robot, cables), J)
    weight, com = robot.mass * np.asarray(robot.gravity), R @ robot.com
    active[:, 3:, 3:] -= np.einsum("km,kmij,kmjl->kil", plain, skew(u), skew(arms)) + cross_matrix(weight) @ skew(com)
    if robot.has_ropes:
        active -= np.einsum("km,kmij->kij", np.where(is_laid, f, 0.0), rope_slopes(robot, reached.full, R))  # Eq. (3)
    return passive[:, rows][:, :, rows], active[:, rows][:, :, rows]


def rope_slopes(robot: Robot, full: np.ndarray, R: np.ndarray) -> np.ndarray:
    """dW/dxi of ropes over guides, shape [n_poses, n_cables, 6, 6], zero for others."""
    k, m = len(full), len(robot.cables)
    found = np.zeros((k, m, 6, 6))
    room = np.zeros((3, 3), complex), np.zeros((6, m + 1), complex)
    slope_rows(robot.geometry(), np.ascontiguousarray(full), np.ascontiguousarray(R), 0, k, *room, found)
    return found


def bending(robot: Robot, cables: np.ndarray) -> np.ndarray:
    """Matrix D of Eqs. (1) and (2), [n_poses, n_cables, 3, 3]: how the pull turns as the anchor moves, per tension."""
    u, e = cables[..., PULL : PULL + 3], cables[..., TOWARDS : TOWARDS + 3]
    straight = (np.eye(3) - u[..., :, None] * u[..., None, :]) / cables[..., FREE, None, None]
    k = np.broadcast_to(robot.axes, u.shape)
    n, s = cables[..., COSINE, None] * e + cables[..., SINE, None] * k, np.cross(k, e)
    over = n[..., :, None] * n[..., None, :] / cables[..., FREE, None, None]
    over = over + s[..., :, None] * s[..., None, :] * (cables[..., SINE] / cables[..., SPREAD])[..., None, None]
    return np.where(robot.radii[:, None, None] > 0.0, over, straight)


def skew(x: np.ndarray) -> np.ndarray:
    """S(x) for many vectors, shape [..., 3, 3]."""
    zero = np.zeros(x.shape[:-1])
    rows = [[zero, -x[..., 2], x[..., 1]], [x[..., 2], zero, -x[..., 0]], [-x[..., 1], x[..., 0], zero]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def mass_matrix(robot: Robot, full: np.ndarray) -> np.ndarray:
    """M about the platform's origin, world axes, the robot's rows."""
    R = rotation(full[3:])
    S = cross_matrix(R @ robot.com)
    inertia = R @ robot.inertia @ R.T - robot.mass * S @ S
    M = np.block([[robot.mass * np.eye(3), -robot.mass * S], [robot.mass * S, inertia]])
    return M[np.ix_(robot.rows, robot.rows)]
