"""Spatial tendons of a compiled MJCF model as cables and springs.

MuJoCo's spring of a tendon pulls when it is longer than the upper spring length and pushes when it is shorter than the
lower one. So a tendon is
    lower = upper, two sites      a spring between two bodies, which pushes as well
    otherwise                     a cable of the kind spring with EA = stiffness times upper length, which only pulls
    limited to an upper length    a cable of the kind ideal
Sites between the ends are pinholes without friction. What differs is named.
"""

from typing import Any

from taut.robots.exchange.mjcf_bodies import Bodies

PUSHES = "pushing of tendons that are shorter than their spring length (a cable does not push)"
DAMPS = "damping of tendons while they are slack"
FAR = 1e-9  # relative difference up to which both ends of a tendon's range of spring lengths count as equal
WRAPS = "shapes that tendons do not touch at the start"


class Tendons:
    """Cables and springs that stand for tendons."""

    def __init__(self, bodies: Bodies, *, stiffness: float | None = None, is_pulling: bool = False) -> None:
        """Take all tendons.

        Args:
            bodies: those of the same model.
            stiffness: EA [N] of tendons that have neither a spring nor a limit; none: they are left out.
            is_pulling: whether tendons that also push are taken as cables all the same.
        """
        self.bodies, self.given, self.m = bodies, bodies.given, bodies.m
        self.stiffness, self.is_pulling = stiffness, is_pulling
        self.cables: list[dict[str, Any]] = []
        self.springs: list[dict[str, Any]] = []
        self.labels: dict[int, str] = {}  # names of the cables and springs, by the number of the tendon in MuJoCo
        self.data = self.given.mujoco.MjData(self.m)
        self.data.qpos[:] = self.given.q
        self.given.mujoco.mj_fwdPosition(self.m, self.data)
        for t in range(self.m.ntendon):
            self.add(t, self.given.name("mjOBJ_TENDON", t))

    def add(self, t: int, name: str) -> None:
        """Add one tendon."""
        way = self.way(t, name)
        if way is None:
            return
        self.note(t, name)
        label = self.given.labels.make(name, "tendon")
        count = len(self.cables) + len(self.springs)
        if self.m.tendon_stiffness[t] or self.m.tendon_damping[t]:
            self.add_spring(t, name, label, way)
        if self.m.tendon_limited[t]:
            self.add_limit(t, name, label, way)
        if len(self.cables) + len(self.springs) == count:
            self.add_bare(t, name, label, way)

    def way(self, t: int, name: str) -> list[tuple[str, list[float]]] | None:
        """Bodies and points that a tendon runs along; None if it is not taken."""
        first, count = int(self.m.tendon_adr[t]), int(self.m.tendon_num[t])
        found: list[tuple[str, list[float]]] = []
        for w in range(first, first + count):
            kind, i = self.m.wrap_type[w], int(self.m.wrap_objid[w])
            if self.given.is_kind("mjtWrap", kind, "mjWRAP_SITE"):
                b = int(self.m.site_bodyid[i])
                found.append((self.bodies.labels[b], self.bodies.point(b, self.m.site_pos[i])))
            elif self.given.is_kind("mjtWrap", kind, "mjWRAP_JOINT"):
                self.given.left.add("fixed tendons, which couple joints", name)
                return None
            elif self.given.is_kind("mjtWrap", kind, "mjWRAP_PULLEY"):
                self.given.left.add("tendons that pulleys divide", name)
                return None
            elif self.is_touched(t, i):
                self.given.left.add("tendons that wrap around shapes", f"{name} ({self.given.name('mjOBJ_GEOM', i)})")
                return None
            else:
                self.given.left.add(WRAPS, f"{self.given.name('mjOBJ_GEOM', i)} of {name}")
        return found

    def is_touched(self, t: int, geom: int) -> bool:
        """Whether a tendon lies on a shape at the start."""
        first, count = int(self.data.ten_wrapadr[t]), int(self.data.ten_wrapnum[t])
        return geom in self.data.wrap_obj.ravel()[first : first + count]

    def note(self, t: int, name: str) -> None:
        """Note features of a tendon that a scenario cannot describe."""
        m = self.m
        for is_there, what in [(m.tendon_frictionloss[t], "dry friction"), (m.tendon_armature[t], "armature"),
                               (m.tendon_stiffnesspoly[t].any(), "stiffness beyond the linear term"),
                               (m.tendon_dampingpoly[t].any(), "damping beyond the linear term"),
                               (m.tendon_springyield[t], "yield of springs"),
                               (m.tendon_actfrclimited[t], "actuator force range")]:  # fmt: skip
            if is_there:
                self.given.left.add(f"{what} of tendons", name)

    def add_spring(self, t: int, name: str, label: str, way: list[Any]) -> None:
        """Add a tendon with a spring."""
        low, high = (float(value) for value in self.m.tendon_lengthspring[t])
        k, d = float(self.m.tendon_stiffness[t]), float(self.m.tendon_damping[t])
        if not (high > 0.0 and k > 0.0):
            what = "a damper without a spring" if not k > 0.0 else "a spring of no length"
            self.given.left.add("tendons with " + what, name)
            return
        is_two_sided = high - low <= FAR * high
        if is_two_sided and len(way) == 2 and way[0][0] != way[1][0] and not self.is_pulling:
            (a, p), (b, q) = way
            self.springs.append({"name": label, "bodies": [a, b], "points": [p, q], "stiffness": k, "damping": d,
                                 "length": high})  # fmt: skip
        else:
            if low > 0.0:
                self.given.left.add(PUSHES, name)
            if d > 0.0:
                self.given.left.add(DAMPS, name)
            law = {"kind": "spring", "axial_stiffness": k * high, "axial_damping": d * high, "length": high}
            self.cables.append(cable(label, way) | law)
        self.labels[t] = label

    def add_limit(self, t: int, name: str, label: str, way: list[Any]) -> None:
        """Add a tendon of limited length."""
        low, high = (float(value) for value in self.m.tendon_range[t])
        if low > 0.0:
            self.given.left.add("smallest lengths of tendons", name)
        if high > 0.0:
            own = self.given.labels.make(f"{label} limit", "") if t in self.labels else label
            self.cables.append(cable(own, way) | {"kind": "ideal", "length": high})
            self.labels[t] = own

    def add_bare(self, t: int, name: str, label: str, way: list[Any]) -> None:
        """Add a tendon that pulls only if an actuator does."""
        if self.stiffness is None:
            self.given.left.add("tendons with neither a spring nor a largest length (--stiffness makes cables of them)",
                                name)  # fmt: skip
            return
        length = float(self.data.ten_length[t])
        self.cables.append(cable(label, way) | {"kind": "spring", "axial_stiffness": self.stiffness, "length": length})
        self.labels[t] = label


def cable(label: str, way: list[Any]) -> dict[str, Any]:
    """Exit, guides and anchor of a cable."""
    (first, at), (last, anchor) = way[0], way[-1]
    record: dict[str, Any] = {"name": label, "exit": at, "body": last, "anchor": anchor}
    if first != "world":
        record["exit_body"] = first
    if len(way) > 2:
        record["via"] = [{"kind": "pinhole", "body": body, "point": point} for body, point in way[1:-1]]
    return record
