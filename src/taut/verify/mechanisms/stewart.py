"""Free fall of the Stewart platform (SRSPM) in every space [Sathuluri, sec. 5].

The reference trajectory comes from an independent model in maximal coordinates (78 coordinates, 72 constraints),
accurate to 1e-10; it starts at rest at z = 1.1 m and falls through its flat, singular pose. Spaces that pass it must
come to the end; actuator spaces must stop there and say why.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from taut import library
from taut.analyses.spaces.matrices import chart, chart_rate, coefficients
from taut.analyses.spaces.motion import Motion, integrate
from taut.analyses.spaces.space import new_space
from taut.build import build
from taut.dynamics.residual import place
from taut.integrate.coordinates import SPACES
from taut.integrate.simulate import simulate
from taut.model import Model, new_data
from taut.verify.quantity import Quantity, at_most

REFERENCE = "independent model in maximal coordinates, converged to 1e-10"
LIMIT = "our limit"
PASSING = ("extended-to-task", "task", "extended", "configuration")
STOPPING = ("extended-to-actuator", "actuator")
TOLERANCE = 1e-12
INSTANTS = (5, 20, 40, 70, 100)  # numbers of the samples that are compared
FLAT = "time of the flat pose and of the determinant's change of sign, independent model"
# reference: height z [m] and its rate [m/s] by time [s]
ANCHORS = {
    0.1: (1.0497355032, -1.0073221060),
    0.2: (0.8975860427, -2.0440616341),
    0.3: (0.6384151973, -3.1500863461),
    0.4: (0.2833195415, -3.6362019896),
    0.5: (-0.0355238463, -2.8526802694),
    0.6: (-0.3292179276, -3.1717439759),
    0.8: (-1.0828775993, -4.4181764898),
    1.0: (-2.1335683386, -6.1430282716),
}


def quantities() -> Iterator[Quantity]:
    """Integrate in every space and compare."""
    model = build(library.load("stewart-free-fall"))
    reference = np.genfromtxt(Path(__file__).with_name("srspm_free_fall.csv"), delimiter=",", skip_header=1)
    times = reference[:, 0]
    motions = {name: integrate(new_space(model, name), times, TOLERANCE) for name in PASSING}
    for time, (z, rate) in ANCHORS.items():
        k = int(round(time / 0.01))
        pose, speed = poses(motions["extended-to-task"])
        yield Quantity(f"z({time:g} s)", float(pose[k, 2]), z, 1e-8, REFERENCE, "m")
        yield Quantity(f"z'({time:g} s)", float(speed[k, 2]), rate, 1e-8, REFERENCE, "m/s")
    for name, motion in motions.items():
        yield from audited(name, motion, reference)
    yield from agreement(model, motions, times)
    yield from matrices(model, motions["extended-to-task"])
    for name in STOPPING:
        yield from stopped(model, name, motions["extended-to-task"], times)


def audited(name: str, motion: Motion, reference: np.ndarray) -> Iterator[Quantity]:
    """A motion against the reference, and its four audits."""
    pose, speed = poses(motion)
    count = len(pose)
    yield at_most(f"{name}: pose", largest(pose - reference[:count, 1:7]), 1e-8, REFERENCE, "m or 1")
    yield at_most(f"{name}: rates", largest(speed - reference[:count, 7:13]), 1e-7, REFERENCE, "m/s or 1/s")
    yield Quantity(f"{name}: end", motion.end, 1.0, 0.0, "passes the singular pose", "s")
    for k, (error, limit, unit) in enumerate((("e1", 1e-12, "m"), ("e2", 1e-12, "m/s"), ("e3", 1e-9, "m/s^2"))):
        yield at_most(f"{name}: {error}", largest(motion.errors[:, k]), limit, "Sathuluri, Eqs. 26-28; " + LIMIT, unit)
    drift = largest(motion.energy / motion.energy[0] - 1.0)
    yield at_most(f"{name}: relative change of energy", drift, 1e-10, "Sathuluri, Eq. 29; " + LIMIT)


def agreement(model: Model, motions: dict[str, Motion], times: np.ndarray) -> Iterator[Quantity]:
    """Largest differences of runs in the spaces from each other, and from the engine's run with multipliers."""
    found = [poses(motion)[0] for motion in motions.values()]
    spread = np.max([np.abs(a - found[0]) for a in found])
    yield at_most("spaces among each other", float(spread), 1e-8, "one machine", "m or 1")
    run = simulate(model, tolerance=1e-11)
    z = run["platform_position"].values[:, 2]
    yield at_most("implicit run with multipliers", largest(z - found[0][:, 2]), 1e-8, "one machine", "m")
    passed = [event["time"] for event in run.events if event["name"] == "gain singularity"]
    yield Quantity("singular pose located in the run", passed[0] if passed else np.nan, 0.4876, 5e-4, FLAT, "s")


def matrices(model: Model, motion: Motion) -> Iterator[Quantity]:
    """Accelerations by the coefficient matrices of every space at some instants of the fall."""
    data = new_data(model)
    for name in SPACES:
        worst = 0.0
        for k in INSTANTS:
            data.q[:], data.v[:] = motion.q[k], motion.v[k]
            place(model.tables, data)
            found = coefficients(model, data, name)
            wanted = np.linalg.lstsq(found.Gamma, rates(model, motion, k) - found.Gamma_rate @ found.rate, rcond=None)[
                0
            ]
            worst = max(worst, largest(found.accelerations() - wanted) / largest(wanted))
        yield at_most(f"{name}: x'' by M, C, G, J", worst, 1e-9, "the same from the recursive algorithms")


def rates(model: Model, motion: Motion, k: int) -> np.ndarray:
    """Second derivatives of the extended coordinates: v = T x', a = T x'' + T' x'."""
    T = chart(model, motion.q[k])
    return np.linalg.solve(T, motion.a[k] - chart_rate(model, motion.q[k], np.linalg.solve(T, motion.v[k])))


def stopped(model: Model, name: str, other: Motion, times: np.ndarray) -> Iterator[Quantity]:
    """An actuator space ends at the flat pose and says why."""
    motion = integrate(new_space(model, name), times, 1e-10)
    yield Quantity(f"{name}: end", motion.end, 0.4876, 5e-4, FLAT, "s")
    why = motion.singularity
    is_named = why is not None and why.matrix.startswith("J_eta,qx") and str(why).startswith("gain-type")
    yield Quantity(f"{name}: names J_eta,qx", float(is_named), 1.0, 0.0, "the matrix that loses rank")
    lost = sum(value < 1e-3 for value in why.values) if why is not None else 0
    yield Quantity(f"{name}: directions lost together", float(lost), 3.0, 0.0, "three directions at the flat pose")
    count = len(motion.times)
    difference = largest(poses(motion)[0] - poses(other)[0][:count])
    yield at_most(f"{name}: pose up to there", difference, 1e-8, "one machine", "m or 1")


def poses(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Position and Rodrigues parameters of the platform, and their rates [time, 6]."""
    q, v = motion.q[:, :7], motion.v[:, :6]
    c = q[:, 4:7] / q[:, 3:4]
    w = v[:, 3:6]
    # rate of Rodrigues parameters c, from the inverse of w = 2/(1 + c.c) (1 + [c]) c'
    rate = 0.5 * (w - np.cross(c, w) + c * np.sum(c * w, axis=1, keepdims=True))
    return np.hstack([q[:, :3], c]), np.hstack([v[:, :3], rate])


def largest(values: np.ndarray) -> float:
    """Largest absolute value."""
    return float(np.abs(values).max())
