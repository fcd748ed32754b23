"""Bodies and joints of a compiled MJCF model.

A body of MuJoCo may hang on several joints, each through a point of its own; a body of a scenario hangs on one joint,
through its origin. So all joints but the last carry massless bodies, and the origin of a body is moved to the point of
its last joint. Coordinates count from MuJoCo's reference position.
"""

from typing import Any

import numpy as np

from taut.robots.exchange.mujoco_file import Given
from taut.scenario.records.orientation import rotation_from_quaternion

KINDS = {"mjJNT_HINGE": "revolute", "mjJNT_SLIDE": "prismatic", "mjJNT_BALL": "spherical", "mjJNT_FREE": "free"}
NOTHING = 1e-11  # a body that carries others counts as massless if its mass and inertia are at most this [kg, kg m^2]
IDENTITY = [1.0, 0.0, 0.0, 0.0]
STOPS = "stops of joints in a run (their range is kept for kinematic analyses)"


class Bodies:
    """The bodies of a scenario, and the numbers of MuJoCo's bodies among them."""

    def __init__(self, given: Given) -> None:
        """Take all bodies of a compiled model, parents first."""
        self.given, self.m = given, given.model
        self.records: dict[str, dict[str, Any]] = {}
        self.labels = ["world"]  # names of our bodies, by the number of the body in MuJoCo
        self.shifts = [np.zeros(3)]  # origin of our body as seen from that of MuJoCo's, in the body's axes [m]
        self.joint_owner: dict[int, str] = {}
        for b in range(1, self.m.nbody):
            self.add(b)

    def point(self, b: int, at: Any) -> list[float]:
        """A point of MuJoCo's body, in the frame of ours."""
        return (np.array(at) - self.shifts[b]).tolist()

    def add(self, b: int) -> None:
        """Add one body with its joints."""
        name = self.given.name("mjOBJ_BODY", b)
        label = self.given.labels.make(name, "body")
        self.note(b, name)
        first, count = int(self.m.body_jntadr[b]), int(self.m.body_jntnum[b])
        joints = range(first, first + count)
        if count and self.kind(first) == "free":
            self.add_free(b, first, label)
            return
        parent = int(self.m.body_parentid[b])
        at, R = self.point(parent, self.m.body_pos[b]), rotation_from_quaternion(self.m.body_quat[b])
        frame: dict[str, Any] = {"parent": self.labels[parent], "origin": at}
        if (R != np.eye(3)).any():
            frame["orientation"] = {"quaternion": self.m.body_quat[b].tolist()}
        shift = np.zeros(3)
        for k, j in enumerate(joints):
            own = (
                label if k == count - 1 else self.given.labels.make(f"{label} {self.given.name('mjOBJ_JOINT', j)}", "")
            )
            turned = R if k == 0 else np.eye(3)
            frame["origin"] = (np.array(frame["origin"]) + turned @ (self.m.jnt_pos[j] - shift)).tolist()
            shift = np.array(self.m.jnt_pos[j])
            self.records[own] = {"massless": True, "joint": frame | self.joint(j)}
            self.joint_owner[j] = own
            frame = {"parent": own, "origin": [0.0, 0.0, 0.0]}
        if not count:
            self.records[label] = {"massless": True, "joint": {"kind": "fixed"} | frame}
        self.labels.append(label)
        self.shifts.append(shift)
        self.add_mass(b, label)

    def add_free(self, b: int, j: int, label: str) -> None:
        """Add a body that moves freely, which MuJoCo turns in its own axes."""
        i, d = int(self.m.jnt_qposadr[j]), int(self.m.jnt_dofadr[j])
        q, v = self.given.q[i : i + 7], self.given.v[d : d + 6]
        record: dict[str, Any] = {"massless": True, "position": q[:3].tolist()}
        if q[3:].tolist() != IDENTITY:
            record["orientation"] = {"quaternion": q[3:].tolist()}
        if v.any():
            record["velocity"] = v[:3].tolist()
            record["angular_velocity"] = (rotation_from_quaternion(q[3:]) @ v[3:]).tolist()
        laws = self.laws(j, "free")
        self.records[label] = record | ({"joint": laws} if laws else {})
        self.labels.append(label)
        self.shifts.append(np.zeros(3))
        self.add_mass(b, label)

    def add_mass(self, b: int, label: str) -> None:
        """Mass properties; next to nothing that carries others stands for nothing."""
        mass, principal = float(self.m.body_mass[b]), np.array(self.m.body_inertia[b])
        is_tiny = mass <= NOTHING and principal.max() <= NOTHING
        carries = float(self.m.body_subtreemass[b]) > 2.0 * NOTHING
        if mass == 0.0 or (is_tiny and carries):
            if mass > 0.0:
                self.given.left.add(f"masses of at most {NOTHING:g} kg, taken for none, of bodies", label)
            return
        R = rotation_from_quaternion(self.m.body_iquat[b])
        inertia = R @ np.diag(principal) @ R.T
        body = self.records[label]
        del body["massless"]
        body |= {"mass": mass, "com": self.point(b, self.m.body_ipos[b]), "inertia": inertia.tolist()}

    def kind(self, j: int) -> str:
        """Kind of a joint, as a scenario names it."""
        return next(ours for kind, ours in KINDS.items() if self.given.is_kind("mjtJoint", self.m.jnt_type[j], kind))

    def joint(self, j: int) -> dict[str, Any]:
        """Kind, axis, start and laws of a joint."""
        kind, i, d = self.kind(j), int(self.m.jnt_qposadr[j]), int(self.m.jnt_dofadr[j])
        record: dict[str, Any] = {"kind": kind}
        if kind == "spherical":
            q, v = self.given.q[i : i + 4].tolist(), self.given.v[d : d + 3].tolist()
            record |= {"position": q} if q != IDENTITY else {}
            record |= {"velocity": v} if any(v) else {}
        else:
            record["axis"] = self.m.jnt_axis[j].tolist()
            zero = float(self.m.qpos0[i])
            # at MuJoCo's reference position no position is written: then a joint may adapt at the start to close loops
            record |= {"position": float(self.given.q[i]) - zero} if self.given.q[i] != zero else {}
            record |= {"velocity": float(self.given.v[d])} if self.given.v[d] else {}
        return record | self.laws(j, kind) | self.range(j, kind)

    def range(self, j: int, kind: str) -> dict[str, Any]:
        """Range of a joint, as a scenario has it."""
        if not self.m.jnt_limited[j]:
            return {}
        name = self.given.name("mjOBJ_JOINT", j)
        if kind == "spherical":
            self.given.left.add("limits of ball joints", name)
            return {}
        self.given.left.add(STOPS, name)
        zero = self.m.qpos0[self.m.jnt_qposadr[j]]
        return {"range": (self.m.jnt_range[j] - zero).tolist()}

    def laws(self, j: int, kind: str) -> dict[str, Any]:
        """Spring, damper and dry friction of a joint."""
        m, d, name = self.m, int(self.m.jnt_dofadr[j]), self.given.name("mjOBJ_JOINT", j)
        i = int(m.jnt_qposadr[j])
        k, more, damping = float(m.jnt_stiffness[j]), m.jnt_stiffnesspoly[j], float(m.dof_damping[d])
        record: dict[str, Any] = {}
        for is_there, what in self.unknown(j, d):
            if is_there:
                self.given.left.add(f"{what} of joints", name)
        is_scalar = kind in ("revolute", "prismatic")
        is_bent = bool(more.any()) or (kind == "spherical" and m.qpos_spring[i : i + 4].tolist() != IDENTITY)
        if (k or more.any()) and (kind == "free" or (is_bent and not is_scalar)):
            self.given.left.add("springs of free and ball joints", name)
            k, more = 0.0, np.zeros(2)
        if k or damping or more.any():
            free = float(m.qpos_spring[i] - m.qpos0[i]) if is_scalar else 0.0
            law = {"law": "polynomial", "coefficients": [k, *more.tolist()]} if more.any() else {"stiffness": k}
            record["spring"] = law | {"damping": damping, "free": free}
        if m.dof_frictionloss[d] and is_scalar:
            record["friction"] = {"coulomb": float(m.dof_frictionloss[d])}
        elif m.dof_frictionloss[d]:
            self.given.left.add("dry friction of free and ball joints", name)
        return record

    def unknown(self, j: int, d: int) -> list[tuple[bool, str]]:
        """Features of a joint that a scenario cannot describe."""
        m = self.m
        return [(bool(m.dof_armature[d]), "armature (rotor inertia)"),
                (bool(m.dof_dampingpoly[d].any()), "damping beyond the linear term"),
                (bool(m.jnt_springyield[j]), "yield of springs"),
                (bool(m.jnt_actfrclimited[j]), "actuator force range"),
                (bool(m.jnt_actgravcomp[j]), "gravity compensation by actuators")]  # fmt: skip

    def note(self, b: int, name: str) -> None:
        """Note features of a body that a scenario cannot describe."""
        if self.m.body_mocapid[b] >= 0:
            self.given.left.add("motion capture: bodies that stand still here", name)
        if self.m.body_gravcomp[b]:
            self.given.left.add("gravity compensation of bodies", name)
        if self.m.body_plugin[b] >= 0:
            self.given.left.add("plugins of bodies", name)
