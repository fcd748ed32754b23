"""Benchmarks of multibody dynamics: the IFToMM library and Andrews' squeezer, at default settings and closer ones.

Linkages pass singular positions (A02), have redundant closures everywhere (A03), or are stiff and fast (A05).
"""

from collections.abc import Callable, Iterator

import numpy as np

from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.result import Result
from taut.scenario.builder import Machine
from taut.verify.mechanisms import bricard, flyball, four_bar, pendulum, squeezer
from taut.verify.quantity import Quantity, at_most

LIMITS = {1e-6: 1e-5, 1e-10: 1e-8}  # allowed error by tolerance [m or rad]

Error = Callable[[Result], float]


def quantities() -> Iterator[Quantity]:
    """The largest error of every machine at both tolerances."""
    yield from judged("pendulum A01", pendulum.swing(), pendulum_error, pendulum.SOURCE)
    for count in four_bar.ENDS:
        machine = four_bar.four_bars(count)
        yield from judged(f"{count}-four-bar A02", machine, lambda found, n=count: four_bar_error(found, n),
                          four_bar.SOURCE)  # fmt: skip
    angles = bricard.BricardTwin().angles(np.linspace(0.0, 10.0, 101))
    yield from judged("Bricard A03", bricard.linkage(), lambda found: bricard_error(found, angles), bricard.SOURCE)
    yield from judged("flyball governor A05", flyball.governor(), flyball_error, flyball.SOURCE)
    yield from judged("Andrews' squeezer", squeezer.squeezer(), squeezer_error, squeezer.SOURCE)


def judged(name: str, machine: Machine, error: Error, source: str) -> Iterator[Quantity]:
    """Error and audit at both tolerances."""
    model = build(machine.scenario())
    for tolerance, limit in LIMITS.items():
        result = simulate(model, tolerance=tolerance)
        yield at_most(f"{name} at tolerance {tolerance:g}", error(result), limit, source)
        is_passed = float(result.audit["verdict"] == "pass")
        yield Quantity(f"{name}, audit passes at {tolerance:g}", is_passed, 1.0, 0.0, "audit")


def pendulum_error(result: Result) -> float:
    """Error of the bob's position at 10 s [m]."""
    angle = float(result["joint_position"][-1, 0])
    return float(np.hypot(-np.cos(angle) - pendulum.END[0], -np.sin(angle) - pendulum.END[1]))


def four_bar_error(result: Result, count: int) -> float:
    """Error of the position of B0 at 10 s [m]; the frame of the first coupler has its origin in B0."""
    end = result["body_position"].sel(body="coupler 1").values[-1]
    return float(np.hypot(end[0] - four_bar.ENDS[count][0], end[2] - four_bar.ENDS[count][1]))


def bricard_error(result: Result, angles: np.ndarray) -> float:
    """Angles of all hinges [rad]."""
    return float(np.abs(result["joint_position"].values[::10] - angles).max())


def flyball_error(result: Result) -> float:
    """Height of the slider [m]."""
    heights = result["body_position"].sel(body="slider").values[:, 2]
    return max(abs(float(heights[np.argmin(np.abs(result.time - time))]) - height)
               for time, height in flyball.HEIGHTS.items())  # fmt: skip


def squeezer_error(result: Result) -> float:
    """Angles of all bodies at 0.03 s [rad]."""
    last = result["joint_position"].isel(time=-1)
    return max(abs(float(last.sel(coordinate=name)) - true) for name, true in squeezer.ENDS.items())
