"""Equality constraints and actuators of a compiled MJCF model, and the names of everything that is left out."""

from typing import Any

import numpy as np

from taut.robots.exchange.labels import signal_name
from taut.robots.exchange.mjcf_bodies import Bodies
from taut.robots.exchange.mjcf_tendons import Tendons
from taut.scenario.records.orientation import rotation_from_quaternion

# a weld becomes a fixed closure if the axes of both bodies differ by less at the start (entries of rotation matrices)
ALIGNED = 1e-6
UNTAKEN = {"mjOBJ_SENSOR": ("nsensor", "sensors"), "mjOBJ_CAMERA": ("ncam", "cameras"),
           "mjOBJ_LIGHT": ("nlight", "lights"), "mjOBJ_FLEX": ("nflex", "flexible bodies"),
           "mjOBJ_SKIN": ("nskin", "skins"), "mjOBJ_HFIELD": ("nhfield", "height fields"),
           "mjOBJ_PLUGIN": ("nplugin", "plugins"), "mjOBJ_PAIR": ("npair", "contact pairs"),
           "mjOBJ_EXCLUDE": ("nexclude", "contact exclusions"), "mjOBJ_NUMERIC": ("nnumeric", "custom numbers"),
           "mjOBJ_TEXT": ("ntext", "custom texts"), "mjOBJ_TUPLE": ("ntuple", "custom tuples")}  # fmt: skip


def closures_of(bodies: Bodies) -> list[dict[str, Any]]:
    """Connections and welds as closures."""
    given, m = bodies.given, bodies.m
    found = []
    for e in range(m.neq):
        name = given.name("mjOBJ_EQUALITY", e)
        kind = next((kind for kind in ("CONNECT", "WELD") if given.is_kind("mjtEq", m.eq_type[e], f"mjEQ_{kind}")), "")
        if not kind or not m.eq_active0[e]:
            given.left.add("equality constraints" if not kind else "equality constraints that are not active", name)
            continue
        (a, p, R_a), (b, q, R_b) = ends_of(bodies, e, kind)
        if kind == "WELD" and not is_aligned(bodies, (a, R_a), (b, R_b)):
            given.left.add("welds that hold other axes than those at the start", name)
            continue
        found.append({"name": given.labels.make(name, "closure"), "kind": "fixed" if kind == "WELD" else "point",
                      "bodies": [bodies.labels[a], bodies.labels[b]],
                      "points": [bodies.point(a, p), bodies.point(b, q)]})  # fmt: skip
    return found


def ends_of(bodies: Bodies, e: int, kind: str) -> Any:
    """Bodies, points and axes that an equality constraint holds together."""
    m = bodies.m
    a, b, data = int(m.eq_obj1id[e]), int(m.eq_obj2id[e]), m.eq_data[e]
    if bodies.given.is_kind("mjtObj", m.eq_objtype[e], "mjOBJ_SITE"):
        return [(int(m.site_bodyid[s]), m.site_pos[s], rotation_from_quaternion(m.site_quat[s])) for s in (a, b)]
    if kind == "CONNECT":
        return (a, data[:3], np.eye(3)), (b, data[3:6], np.eye(3))
    return (a, data[3:6], rotation_from_quaternion(data[6:10])), (b, data[:3], np.eye(3))


def is_aligned(bodies: Bodies, first: Any, second: Any) -> bool:
    """Whether axes on two bodies are the same at the start."""
    data = bodies.given.mujoco.MjData(bodies.m)
    data.qpos[:] = bodies.given.q
    bodies.given.mujoco.mj_kinematics(bodies.m, data)
    (a, R_a), (b, R_b) = first, second
    return bool(np.abs(data.xmat[a].reshape(3, 3) @ R_a - data.xmat[b].reshape(3, 3) @ R_b).max() < ALIGNED)


def add_actuators(bodies: Bodies, tendons: Tendons) -> dict[str, Any]:
    """Commands for the forces of joints; what a servo adds by itself is a spring and a damper there."""
    given, m = bodies.given, bodies.m
    signals: dict[str, Any] = {}
    for a in range(m.nactuator):
        name = given.name("mjOBJ_ACTUATOR", a)
        j = int(m.actuator_trnid[a, 0])
        is_joint = given.is_kind("mjtTrn", m.actuator_trntype[a], "mjTRN_JOINT")
        reason = "actuators on other than joints" if not is_joint else untaken(bodies, a, j)
        if given.is_kind("mjtTrn", m.actuator_trntype[a], "mjTRN_TENDON"):
            reason = "actuators of tendons"
            limit_tension(bodies, tendons, a, j)
        if reason:
            given.left.add(reason, name)
            continue
        signal = signal_name(given.labels.make(name, "actuator"))
        signals[signal] = command(bodies, a)
        add_servo(bodies, a, j, signal)
    return signals


def untaken(bodies: Bodies, a: int, j: int) -> str:
    """Why an actuator of a joint is not taken; nothing if it is."""
    m, is_kind = bodies.m, bodies.given.is_kind
    joint = bodies.records.get(bodies.joint_owner.get(j, ""), {}).get("joint", {})
    bias = m.actuator_biasprm[a]
    if joint.get("kind") not in ("revolute", "prismatic"):
        return "actuators of free and ball joints"
    if "force" in joint:
        return "actuators of joints that have one already"
    if not (is_kind("mjtDyn", m.actuator_dyntype[a], "mjDYN_NONE")
            and is_kind("mjtGain", m.actuator_gaintype[a], "mjGAIN_FIXED")):  # fmt: skip
        return "actuators with activation dynamics, or gains that depend on the state"
    if is_kind("mjtBias", m.actuator_biastype[a], "mjBIAS_NONE"):
        return ""
    is_servo = is_kind("mjtBias", m.actuator_biastype[a], "mjBIAS_AFFINE") and max(bias[1:3]) <= 0.0
    is_plain = not bias[3:].any() and "law" not in joint.get("spring", {})
    return "" if is_servo and is_plain and not (bias[0] and bias[1] == 0.0) else "actuators with forces of their own"


def command(bodies: Bodies, a: int) -> dict[str, Any]:
    """The command of an actuator: the force on its joint."""
    m, given = bodies.m, bodies.given
    factor = float(m.actuator_gear[a, 0] * m.actuator_gainprm[a, 0])
    record: dict[str, Any] = {"kind": "command"}
    if m.actuator_ctrllimited[a] and factor:
        record["limits"] = sorted((factor * m.actuator_ctrlrange[a]).tolist())
    for is_there, what in [(m.actuator_forcelimited[a], "force range"), (m.actuator_damping[a], "damping"),
                           (m.actuator_armature[a], "armature"), (m.actuator_delay[a], "delay")]:  # fmt: skip
        if is_there:
            given.left.add(f"{what} of actuators", given.name("mjOBJ_ACTUATOR", a))
    return record


def add_servo(bodies: Bodies, a: int, j: int, signal: str) -> None:
    """Command, spring and damper of an actuator on its joint: gear (b0 + b1 gear q + b2 gear q') is its own force."""
    m, joint = bodies.m, bodies.records[bodies.joint_owner[j]]["joint"]
    joint["force"], joint["actuated"] = signal, True
    gear, (b0, b1, b2) = float(m.actuator_gear[a, 0]), (float(value) for value in m.actuator_biasprm[a, :3])
    if bodies.given.is_kind("mjtBias", m.actuator_biastype[a], "mjBIAS_NONE") or not (b1 or b2):
        return
    own = joint.get("spring", {"stiffness": 0.0, "damping": 0.0, "free": 0.0})
    k, zero = -b1 * gear**2, float(m.qpos0[m.jnt_qposadr[j]])
    # MuJoCo's actuator exerts no force where b0 + b1 gear (q + zero) = 0: the free position of the spring
    free = (-b0 / (b1 * gear) - zero) if k else 0.0
    total = own["stiffness"] + k
    joint["spring"] = {"stiffness": total, "damping": own["damping"] - b2 * gear**2,
                       "free": (own["stiffness"] * own["free"] + k * free) / total if total else 0.0}  # fmt: skip


def limit_tension(bodies: Bodies, tendons: Tendons, a: int, t: int) -> None:
    """Keep the range of an actuator's pull as the tension limits of its cable, for the analyses of robots."""
    m, label = bodies.m, tendons.labels.get(t)
    factor = float(m.actuator_gear[a, 0] * m.actuator_gainprm[a, 0])
    span = factor * m.actuator_ctrlrange[a] if m.actuator_ctrllimited[a] else m.actuator_forcerange[a]
    # MuJoCo counts the force of a tendon positive when it pushes, a tension is positive when it pulls
    low, high = sorted((-span).tolist())
    if low < high and high > 0.0:
        for cable in tendons.cables:
            if cable["name"] == label:
                cable["tension_limits"] = [max(low, 0.0), high]


def note_rest(bodies: Bodies) -> None:
    """Name what nothing else has looked at."""
    given, m = bodies.given, bodies.m
    for kind, (size, words) in UNTAKEN.items():
        for i in range(getattr(m, size)):
            given.left.add(words, given.name(kind, i))
    touches = (np.array(m.geom_contype) != 0) | (np.array(m.geom_conaffinity) != 0)
    is_off = bool(m.opt.disableflags & int(given.mujoco.mjtDisableBit.mjDSBL_CONTACT))
    for g in range(m.ngeom):
        is_solid = touches[g] and not is_off
        given.left.add("shapes, for contact and pictures" if is_solid else "shapes, for pictures",
                       given.name("mjOBJ_GEOM", g))  # fmt: skip
    is_site = [given.is_kind("mjtWrap", kind, "mjWRAP_SITE") for kind in m.wrap_type]
    for s in sorted(set(range(m.nsite)) - set(m.wrap_objid[is_site].tolist() if m.nwrap else [])):
        given.left.add("sites that no tendon runs through", given.name("mjOBJ_SITE", s))
    for k in range(m.nkey):
        given.left.add("keyframes (--keyframe starts at one)", given.name("mjOBJ_KEY", k))
    for what in ("density", "viscosity"):
        if getattr(m.opt, what):
            given.left.add(f"{what} of the medium", f"{getattr(m.opt, what):g}")
    if m.opt.disableflags:
        given.left.add("disabled parts of MuJoCo, flags", str(int(m.opt.disableflags)))
