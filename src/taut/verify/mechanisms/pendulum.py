"""Simple pendulum, IFToMM benchmark A01: 1 kg on 1 m, released at rest from the horizontal.

The period is 4 sqrt(L/g) K(sin(theta/2)) with the complete elliptic integral K and theta = pi/2 from the vertical.
"""

from collections.abc import Iterator

import numpy as np

from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.result import Result
from taut.scenario.builder import Machine
from taut.verify.quantity import Quantity

SOURCE = "closed form (elliptic functions), IFToMM benchmark A01"
END = -0.2750874625766221, -0.9614192050989805  # reference: x and z of the mass at 10 s [m]


def quantities() -> Iterator[Quantity]:
    """Ten seconds, a little more than four periods."""
    result = simulate(build(swing().scenario()), tolerance=1e-11)
    yield Quantity("period", period(result), 2.36784194758, 1e-8, SOURCE, "s")
    angle = float(result["joint_position"][-1, 0])
    yield Quantity("x at 10 s", -np.cos(angle), END[0], 2e-8, SOURCE, "m")
    yield Quantity("z at 10 s", -np.sin(angle), END[1], 2e-8, SOURCE, "m")


def swing() -> Machine:
    """The machine: the mass lies at -x of its frame; positive angles go from x to z."""
    machine = Machine("simple pendulum")
    machine.body("bob", mass=1.0, com=[-1, 0, 0], joint={"kind": "revolute", "axis": [0, -1, 0]})
    return machine.run(duration=10, save_every=0.005)


def period(result: Result) -> float:
    """Mean period [s]: the bob is at rest twice in each."""
    t, v, a = (result[name].values for name in ("time", "joint_velocity", "joint_acceleration"))
    v, a = v[:, 0], a[:, 0]
    k = np.flatnonzero(v[1:-1] * v[2:] < 0.0) + 1
    # time of v = 0: inverse function t(v) as a cubic through values and slopes 1/a at both samples
    h, s = v[k + 1] - v[k], -v[k] / (v[k + 1] - v[k])
    first, second = h / a[k], h / a[k + 1]
    rests = (
        t[k] * (1 + 2 * s) * (1 - s) ** 2
        + first * s * (1 - s) ** 2
        + t[k + 1] * s**2 * (3 - 2 * s)
        + second * s**2 * (s - 1)
    )
    return float(2.0 * rests[-1] / len(rests))
