"""The 6-RSS manipulator: symmetric free fall, and the motor torques of a heave [Sathuluri, sec. 6].

The published model has two defects, so that its own figures are no measure: the couplers' angular velocity is taken
from another rotation than their position (a symmetric fall then tilts), and the heave's crank acceleration has z''
where z' belongs. The numbers here are of the physical model, found independently in maximal coordinates.
"""

from collections.abc import Iterator

import numpy as np

from taut import library
from taut.analyses.inverse_result import inverse_motion
from taut.analyses.spaces.motion import integrate
from taut.analyses.spaces.space import new_space
from taut.build import build
from taut.integrate.simulate import simulate
from taut.verify.quantity import Quantity, at_most

REFERENCE = "independent model in maximal coordinates"
SYMMETRY = "symmetry of the machine"
# reference: torque of a motor [N m] by the share of the heave that is done
TORQUES = {0.0: 407.002, 0.25: 330.002, 0.5: 260.507, 0.75: 174.170, 1.0: 60.200}


def quantities() -> Iterator[Quantity]:
    """Quantities of the two runs: free fall, then heave."""
    yield from fall()
    yield from heave()


def fall() -> Iterator[Quantity]:
    """The symmetric free fall in task space, and as an implicit run."""
    model = build(library.load("six-rss-free-fall"))
    times = np.linspace(0.0, 0.6, 61)
    motion = integrate(new_space(model, "extended-to-task"), times, 1e-12)
    turn = motion.q[:, 4:7] / motion.q[:, 3:4]
    yield at_most("turn of the platform", float(np.abs(turn).max()), 1e-10, SYMMETRY)
    yield Quantity("z''(0)", float(motion.a[0, 2]), -9.80911, 5e-6, REFERENCE, "m/s^2")
    yield Quantity("energy at the start", float(motion.energy[0]), 2194.436284000472, 1e-9, REFERENCE, "J")
    drift = float(np.abs(motion.energy / motion.energy[0] - 1.0).max())
    yield at_most("relative change of energy", drift, 1e-10, "nothing drives or brakes it")
    yield Quantity("end", motion.end, 0.6, 0.0, "comes to its end", "s")
    run = simulate(model)
    turned = np.abs(run["platform_quaternion"].values[:, 1:]).max()
    yield at_most("turn of the platform, implicit run", float(turned), 1e-10, SYMMETRY)
    apart = float(np.abs(run["platform_position"].values[:, 2] - motion.q[:, 2]).max())
    yield at_most("z, implicit run", apart, 1e-7, "one machine", "m")


def heave() -> Iterator[Quantity]:
    """Motor torques of the heave from z = 0.3 m to 0.4 m with 0.8 g at both ends."""
    result = inverse_motion(build(library.load("six-rss-heave")))
    torque = result["actuator_force"].values
    for share, expected in TORQUES.items():
        k = int(round(share * (len(torque) - 1)))
        yield Quantity(f"torque at {share:g} of the heave", float(torque[k].mean()), expected, 0.01, REFERENCE, "N m")
    yield at_most("difference between the motors", float(np.ptp(torque, axis=1).max()), 1e-8, SYMMETRY, "N m")
    energy = result.audit["energy"]
    yield Quantity(
        "work of the motors", energy["input"], energy["stored"], 1e-6 * energy["exchanged"], "change of energy", "J"
    )
