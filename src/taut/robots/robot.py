"""A cable robot as its designers see it: a platform on cables, straight from points or pulleys, or over guides.

Poses are x, y, z, a, b, c with R = Rx(a) Ry(b) Rz(c), the place of the platform's origin and its turn. A robot that
moves in a plane, or only along, has some of them: its other coordinates stay at ``home``. Wrenches have the same rows:
forces, and moments about the platform's origin, in world axes.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taut.kernels.robots.reach import Geometry
from taut.robots.problems import refusal
from taut.robots.ways import Rope, placed, rope_tables

FREEDOMS = {"spatial": (0, 1, 2, 3, 4, 5), "planar-xy": (0, 1, 5), "planar-xz": (0, 2, 4), "point": (0, 1, 2)}
COORDINATES = ("x", "y", "z", "a", "b", "c")
WRENCHES = ("Fx", "Fy", "Fz", "Mx", "My", "Mz")


@dataclass(frozen=True)
class Robot:
    """Geometry, platform and limits; arrays are read-only."""

    name: str
    cables: tuple[str, ...]
    exits: Any  # exits in the world [m], shape [n_cables, 3]; of a rope over guides its first point in the world
    # anchors, platform frame [m], shape [n_cables, 3]; of a rope over guides its last point on the platform
    anchors: Any
    freedom: str = "spatial"  # how the platform can move: spatial, planar-xy, planar-xz or point
    axes: Any = None  # unit vectors of the pulleys' swivel axes, shape [n_cables, 3]; None: all along z
    radii: Any = 0.0  # radii of the pulleys [m], shape [n_cables]; 0: the cable leaves from a point
    leads: Any = 0.0  # length of each cable before its exit, over fixed guides [m], shape [n_cables]
    tension_min: Any = 0.0  # least tension allowed in a cable [N], shape [n_cables]
    tension_max: Any = np.inf  # largest tension allowed in a cable [N], shape [n_cables]
    mass: float = 0.0  # mass of the platform [kg]
    com: Any = (0.0, 0.0, 0.0)  # centre of mass of the platform, platform frame [m]
    inertia: Any = None  # inertia of the platform about its centre of mass, platform axes [kg m^2], shape [3, 3]
    gravity: Any = (0.0, 0.0, -9.81)  # acceleration of gravity, world axes [m/s^2]
    stiffness: Any = np.inf  # axial stiffness EA of the cables [N], shape [n_cables]; inf: they do not stretch
    mass_per_length: Any = 0.0  # mass per length of the cables [kg/m], shape [n_cables]
    home: Any = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # pose of the platform at the start, six coordinates [m, rad]
    # guides that each cable runs over, empty for a straight one; (): all cables are straight
    ropes: tuple[Rope, ...] = ()
    # tensions that the machine starts with [N], shape [n_cables], by pretension or by lengths; None: not known
    start_tensions: Any = None
    box: Any = None  # lowest and highest corner of the platform's body, platform frame [m], shape [2, 3]; None: unknown

    def __post_init__(self) -> None:
        """Fill arrays, and check them."""
        m = len(self.cables)
        if self.freedom not in FREEDOMS:
            raise refusal("is not known", at="freedom", value=self.freedom, remedy=f"one of {', '.join(FREEDOMS)}")
        self._set("exits", self.exits, (m, 3))
        self._set("anchors", self.anchors, (m, 3))
        axes = np.asarray((0.0, 0.0, 1.0) if self.axes is None else self.axes, float)
        self._set("axes", axes / np.linalg.norm(axes, axis=-1, keepdims=True), (m, 3))
        for name in ("radii", "leads", "tension_min", "tension_max", "stiffness", "mass_per_length"):
            self._set(name, getattr(self, name), (m,))
        for name, shape in (("com", (3,)), ("gravity", (3,)), ("home", (6,))):
            self._set(name, getattr(self, name), shape)
        self._set("inertia", np.zeros((3, 3)) if self.inertia is None else self.inertia, (3, 3))
        if self.start_tensions is not None:
            self._set("start_tensions", self.start_tensions, (m,))
        if self.box is not None:
            self._set("box", self.box, (2, 3))
        object.__setattr__(self, "ropes", tuple(self.ropes) or ((),) * m)
        if len(self.ropes) != m:
            raise refusal(f"needs {m} entries, one per cable", at="ropes", value=len(self.ropes))
        self._check()

    def _set(self, name: str, value: Any, shape: tuple[int, ...]) -> None:
        try:
            array = np.array(np.broadcast_to(np.asarray(value, float), shape), order="C")
        except ValueError:
            message = f"needs {' x '.join(map(str, shape))} numbers"
            raise refusal(message, at=name, value=value) from None
        array.setflags(write=False)
        object.__setattr__(self, name, array)

    def _check(self) -> None:
        for name in ("exits", "anchors", "radii", "leads", "com", "inertia", "gravity", "home", "tension_min"):
            if not np.isfinite(getattr(self, name)).all():
                raise refusal("must be finite", at=name)
        for name in ("radii", "mass", "mass_per_length"):
            value = np.asarray(getattr(self, name))
            if not np.all((value >= 0.0) & (value < np.inf)):
                raise refusal("must be finite and not negative", at=name, value=value)
        if not np.all(self.stiffness > 0.0):
            raise refusal("must be positive", at="stiffness", value=self.stiffness)
        if np.any(self.tension_min < 0.0):
            raise refusal("must not be negative: cables do not push", at="tension_min", value=self.tension_min.min())
        wrong = np.flatnonzero(~(self.tension_min < self.tension_max))
        if len(wrong):
            i = int(wrong[0])
            message = f"the limits of cable {self.cables[i]} contradict each other: {self.tension_min[i]:g} N is not "
            raise refusal(f"{message}less than {self.tension_max[i]:g} N", at="limits")

    @property
    def rows(self) -> np.ndarray:
        """Which of the six coordinates the platform moves in, and which wrench rows its cables have to make."""
        return np.array(FREEDOMS[self.freedom])

    @property
    def freedoms(self) -> int:
        """Number of the platform's degrees of freedom."""
        return len(FREEDOMS[self.freedom])

    @property
    def redundancy(self) -> int:
        """Cables beyond the freedoms."""
        return len(self.cables) - self.freedoms

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the entries of a pose."""
        return tuple(COORDINATES[k] for k in FREEDOMS[self.freedom])

    @property
    def wrench_rows(self) -> tuple[str, ...]:
        """Names of the entries of a wrench."""
        return tuple(WRENCHES[k] for k in FREEDOMS[self.freedom])

    @property
    def start(self) -> np.ndarray:
        """The pose at the start, in the robot's own coordinates."""
        return self.home[self.rows]

    @property
    def has_ropes(self) -> bool:
        """Whether any cable runs over guides."""
        return any(self.ropes)

    def full_ropes(self) -> tuple[Rope, ...]:
        """Ropes from the robot's exits to its anchors."""
        return tuple(placed(rope, self.exits[i], self.anchors[i]) if rope else () for i, rope in enumerate(self.ropes))

    def geometry(self) -> Geometry:
        """Exits, anchors and pulleys as arrays for compiled code."""
        names = ("exits", "anchors", "axes", "radii", "leads")
        return Geometry(**{name: np.array(getattr(self, name)) for name in names}, **rope_tables(self.full_ropes()))

    def full_poses(self, poses: Any) -> np.ndarray:
        """Poses with all six coordinates, shape [n_poses, 6], of one pose or of many."""
        given = np.atleast_2d(np.asarray(poses, float))
        if given.ndim != 2 or given.shape[1] != self.freedoms:
            has = "a number" if np.ndim(poses) == 0 else f"{given.shape[-1]} numbers"
            message = f"needs {self.freedoms} numbers {', '.join(self.coordinates)}, and has {has}"
            raise refusal(message, at="pose")
        if not np.isfinite(given).all():
            raise refusal("must be finite", at="pose")
        full = np.tile(self.home, (len(given), 1))
        full[:, self.rows] = given
        return full

    def with_limits(self, limits: Any) -> "Robot":
        """The robot with other tension limits, a pair of numbers or of lists; none: its own."""
        if limits is None:
            return self
        try:
            lowest, highest = limits
        except (TypeError, ValueError):
            raise refusal("needs two entries: smallest and largest tension", at="limits", value=limits) from None
        return replace(self, tension_min=lowest, tension_max=highest)

    def need_upper_limits(self) -> None:
        """Refuse where a cable may carry any tension."""
        if not np.isfinite(self.tension_max).all():
            remedy = "write tension_limits: [lowest, highest] into the cables, or give limits (--limits LOW:HIGH)"
            raise refusal("the largest tension of the cables is not known", at="limits", remedy=remedy)

    def need_enough_lengths(self) -> None:
        """Refuse a robot whose cables are too few for their lengths to say where the platform is."""
        if self.redundancy < 0:
            message = f"{len(self.cables)} lengths do not say where {self.freedoms} coordinates are"
            remedy = "the rest under gravity is found with --cables elastic or sagging (elastic_rest, sagging_rest)"
            raise refusal(f"{message} ({', '.join(self.coordinates)})", at="cables", remedy=remedy)

    def need_enough_cables(self) -> None:
        """Refuse a robot whose cables are fewer than its freedoms."""
        if self.redundancy < 0:
            message = f"{len(self.cables)} cables cannot hold {self.freedoms} freedoms ({', '.join(self.coordinates)})"
            remedy = "a body on point-like anchors has the freedom point; a planar machine says planar: true"
            raise refusal(message, at="cables", remedy=remedy)
