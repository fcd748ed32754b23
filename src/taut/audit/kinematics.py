"""Do the samples fit together: positions, velocities and accelerations of bodies from each sample to the next.

Over an interval the trapezoidal rule gives the change of position from the velocities and that of velocity from the
accelerations. What it may miss is taken from the data: the change of the integrand, which bounds its course between
two samples, and its slope in the neighbourhood, so that fast vibrations that are sampled seldom raise no alarm. Where
an event or a jump of a signal lies in an interval, velocities may jump.
"""

from typing import Any

import numpy as np

from taut.audit.vectors import cross
from taut.model import Model
from taut.model.enums import JointKind
from taut.results.record import RunRecord

Arrays = dict[str, np.ndarray]  # channels by name
NEAR = 3  # neighbouring samples considered on either side
MOST_STEPS = 1  # velocity and acceleration are compared only between samples with at most this many steps between them
BLIND = 6  # samples with more than this many steps between them are not compared: they do not resolve the motion
UNIT_LIMIT = 1e-9  # allowed deviation of a quaternion's length from 1
ROUNDING = 1e-9
LIMIT = 1.0  # allowed misfit, in multiples of the error bound computed from the samples
LOOSE = 4.0  # factor on the allowed misfit where velocities may jump between two samples
IMPULSIVE = ("nonsmooth-alpha", "moreau-jean")  # methods in which velocities may jump in any step


def kinematics_line(model: Model, arrays: Arrays, record: RunRecord) -> dict[str, Any] | None:
    """Largest misfit between neighbouring samples, against what the data allow."""
    if "body_position" not in arrays or not arrays["body_position"].size or len(arrays["time"]) < 2:
        return None
    time = arrays["time"]
    x, v, a, w, alpha, quaternion = (
        arrays[f"body_{name}"]
        for name in ("position", "velocity", "acceleration", "angular_velocity", "angular_acceleration", "quaternion")
    )
    if not all(np.isfinite(part).all() for part in (x, v, a, w, alpha, quaternion)) or not np.all(np.diff(time) > 0):
        return _fail("the samples are not finite or not in order", {})
    off = float(np.abs(np.linalg.norm(quaternion, axis=-1) - 1.0).max())
    if off > UNIT_LIMIT:
        return _fail(f"quaternions are {off:.3g} off their unit length", {"unit": off})
    steps = steps_near(time, arrays.get("step_time"))
    is_jump = jumps(model, record, time) | (steps > MOST_STEPS)
    turns = turned(quaternion)
    # skip linearised rotations: rates of their rotation vector are not angular velocities beyond first order
    small = np.array([model.tables.nodes["kind"][node] == JointKind.SMALL for node in model.names.bodies.values()])
    turns[:, small] = 0.0
    w, alpha = np.where(small[:, None], 0.0, w), np.where(small[:, None], 0.0, alpha)
    blur, step = record.tolerance * (record.size or 1.0), np.diff(time)[:, None]
    is_loose = is_jump | (record.method in IMPULSIVE)
    pairs = {
        "position and velocity": misfit(time, np.diff(x, axis=0), v, a, blur),
        "orientation and angular velocity": misfit(time, turns, w, alpha, record.tolerance, is_turn=True),
    }
    looser = np.where(steps > BLIND, np.inf, np.where(is_loose, LOOSE, 1.0))
    pairs = {name: part / looser[:, None] for name, part in pairs.items()}
    if record.method not in IMPULSIVE:
        judged = ~is_jump[:, None]
        fast = misfit(time, np.diff(v, axis=0), a, None, blur / step)
        spin = misfit(time, np.diff(w, axis=0), alpha, None, record.tolerance / step)
        pairs |= {"velocity and acceleration": judged * fast, "angular velocity and acceleration": judged * spin}
    line: dict[str, Any] = {"intervals": len(time) - 1, "judged": int(np.count_nonzero(steps <= BLIND))}
    if not line["judged"]:
        # all samples have too many steps between them to be compared
        return {"verdict": "note", "max": None, "limit": LIMIT, **line}
    name = max(pairs, key=lambda key: pairs[key].max(initial=0.0))
    k, b = np.unravel_index(int(np.argmax(pairs[name])), pairs[name].shape)
    line |= {"max": float(pairs[name][k, b]), "limit": LIMIT, "time": float(time[k + 1]), "what": name,
             "body": list(model.names.bodies)[b]}  # fmt: skip
    if line["max"] <= LIMIT:
        return {"verdict": "pass", **line}
    off = f"off by {line['max']:.3g} times what the samples allow"
    reason = f"{name} of {line['body']} do not fit together at t = {line['time']:.6g} s: {off}"
    return _fail(reason, line)


def _fail(reason: str, line: dict[str, Any]) -> dict[str, Any]:
    return {"verdict": "fail", "reason": reason, **line}


def misfit(  # noqa: PLR0913
    time: np.ndarray,
    change: np.ndarray,
    rate: np.ndarray,
    slope: np.ndarray | None,
    blur: float | np.ndarray,
    *,
    is_turn: bool = False,
) -> np.ndarray:
    """Error of the trapezoidal rule relative to its allowance [interval, body]; ``blur``: accuracy of samples."""
    step = np.diff(time)[:, None]
    missed = np.linalg.norm(change - 0.5 * step[..., None] * (rate[1:] + rate[:-1]), axis=-1)
    jump = np.linalg.norm(np.diff(rate, axis=0), axis=-1)
    allowed = (0.75 if slope is not None else 1.5) * step * widest(jump, NEAR)
    if slope is not None:
        size = np.linalg.norm(slope, axis=-1)
        allowed = allowed + 0.25 * step**2 * widest(np.maximum(size[1:], size[:-1]), NEAR)
    if is_turn:
        # allow for an axis that turns; more than half a turn between two samples is ambiguous
        turn = step * np.maximum(np.linalg.norm(rate[1:], axis=-1), np.linalg.norm(rate[:-1], axis=-1))
        twist = widest(step**2 * np.linalg.norm(cross(rate[:-1], rate[1:]), axis=-1), NEAR)
        allowed = allowed + twist + turn * widest(step * jump, NEAR) + np.where(turn > 3.0, 10.0, 0.0)
    size = np.abs(rate).max(initial=0.0)
    allowed = allowed + blur + ROUNDING * (1.0 + np.abs(change).max(initial=0.0) + step * size)
    return missed / allowed


def widest(values: np.ndarray, reach: int) -> np.ndarray:
    """Largest value among the neighbours along time."""
    found = values.copy()
    for k in range(1, reach + 1):
        found[k:] = np.maximum(found[k:], values[:-k])
        found[:-k] = np.maximum(found[:-k], values[k:])
    return found


def turned(quaternion: np.ndarray) -> np.ndarray:
    """Rotation vector from each sample to the next, world axes [interval, body, 3]."""
    a, b = quaternion[:-1], quaternion[1:]
    w = np.sum(a * b, axis=-1)
    u = a[..., :1] * b[..., 1:] - b[..., :1] * a[..., 1:] - cross(b[..., 1:], a[..., 1:])
    sign = np.where(w < 0.0, -1.0, 1.0)
    size = np.linalg.norm(u, axis=-1)
    angle = 2.0 * np.arctan2(size, sign * w)
    return (sign * np.where(size > 1e-12, angle / np.maximum(size, 1e-12), 2.0))[..., None] * u


def steps_near(time: np.ndarray, ends: np.ndarray | None) -> np.ndarray:
    """Most steps that the run took in each interval and its neighbours: many steps are not resolved by the samples."""
    if ends is None:
        return np.zeros(len(time) - 1)
    return widest(np.histogram(ends, bins=time)[0][:, None].astype(float), 1)[:, 0]


def jumps(model: Model, record: RunRecord, time: np.ndarray) -> np.ndarray:
    """Intervals in which velocities or accelerations may jump: those at events and at jumps of signals."""
    found = np.zeros(len(time) - 1, bool)
    moments = [*(event["time"] for event in record.events), *model.breakpoints]
    for moment in moments:
        k = np.searchsorted(time, moment)
        found[max(k - NEAR, 0) : k + NEAR] = True
    return found
