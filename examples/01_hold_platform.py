"""A quadcopter carries a platform on a cable, and ten lines of Python hold the platform at a place.

The function is called fifty times a second with what the sensors measure, noise included, and answers with the thrusts
of the four rotors. It holds the quadcopter above the place, and damps the platform's swing.
"""

from typing import Any

import numpy as np

import taut

PLACE, ABOVE = np.array([0.5, -0.3, 2.0]), np.array([0.0, 0.0, 0.9])  # where the platform shall hang; the cable [m]
MASS, GRAVITY = 1.5 + 0.5 + 0.04, 9.81
ROTORS = 0.2 * np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]]) / np.sqrt(2)


def hold(t: float, measured: dict[str, Any]) -> dict[str, float]:
    """Controller: thrusts of the rotors by time and measurements."""
    error = PLACE + ABOVE - measured["place"]
    wanted = 2.0 * error - 2.4 * measured["speed"] + 0.8 * (measured["swing"] - measured["speed"])
    wanted[:2] = np.clip(wanted[:2], -2.0, 2.0)
    tilt = np.array([-wanted[1], wanted[0], 0.0]) / GRAVITY
    moment = 36.0 * (tilt - 2.0 * measured["turn"][1:]) - 5.0 * measured["spin"]
    lift = MASS * (GRAVITY + wanted[2]) / 4.0
    thrusts = lift + ROTORS[:, 1] * moment[0] - ROTORS[:, 0] * moment[1]
    return dict(zip(("u1", "u2", "u3", "u4"), thrusts, strict=True))


def machine() -> taut.Machine:
    """The quadcopter, its cable, the platform, and their sensors."""
    made = taut.Machine("a quadcopter holds a platform")
    for k in range(1, 5):
        made.signal(f"u{k}", kind="command", initial=MASS * GRAVITY / 4, limits=[0.0, 9.0], lag=0.03)
    made.driver("Q", kind="quadcopter", mass=1.5, inertia=[0.02, 0.02, 0.035], arm=0.2, moment_ratio=0.02,
                thrust=["u1", "u2", "u3", "u4"], drag=0.1)  # fmt: skip
    made.platform(mass=0.5, box=[0.3, 0.3, 0.1], position=[0, 0, 1])
    made.cable("C", exit=[0, 0, 1.9], anchor=[0, 0, 0.05], driver="Q", elements=5, radius=1e-3, mass_per_length=0.05,
               axial_stiffness=1e4, axial_damping=50.0, bending_stiffness=1e-3, bending_damping=1e-3)  # fmt: skip
    made.measurement("place", body="Q", noise=2e-3)
    made.measurement("speed", body="Q", what="velocity", noise=5e-3)
    made.measurement("turn", body="Q", what="orientation", noise=1e-3)
    made.measurement("spin", body="Q", what="angular_velocity", noise=5e-3)
    made.measurement("swing", body="platform", what="velocity", noise=5e-3)
    made.controller("hold", kind="python", period=0.02, delay=0.005)
    return made.run(duration=12.0, save_every=0.05, tolerance=1e-6)


def main() -> taut.Result:
    """Run the machine with its controller."""
    return taut.simulate(taut.build(machine().scenario()), controllers={"hold": hold})


def check(result: taut.Result) -> None:
    """The platform hangs where it should, to two centimetres, for the last two seconds."""
    place = result["platform_position"].values[result.time > 10.0]
    assert result.audit["verdict"] == "pass"
    assert np.abs(place[:, :2] - PLACE[:2]).max() < 0.02
    assert np.abs(place[:, 2] - PLACE[2]).max() < 0.02


if __name__ == "__main__":
    found = main()
    check(found)
    x, y, z = found["platform_position"].values[-1]
    print(f"platform at ({x:.3f}, {y:.3f}, {z:.3f}) m, wanted {tuple(PLACE.tolist())} m")
