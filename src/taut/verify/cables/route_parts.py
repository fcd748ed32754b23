"""Parts of machines that are ropes, wheels and masses, and how their runs are judged."""

from typing import Any

from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.result import Result
from taut.scenario.builder import Machine
from taut.verify.quantity import Quantity

ACROSS, UPWARDS = [0, 1, 0], [0, 0, 1]
CLOSED = "closed form"


def ran(machine: Machine, duration: float, every: float, tolerance: float = 1e-11) -> Result:
    """A run; its audit counts too."""
    machine.run(duration=duration, save_every=every, tolerance=tolerance)
    return simulate(build(machine.scenario()))


def judged(name: str, result: Result) -> Quantity:
    """Whether the audit passes."""
    return Quantity(f"{name}, audit passes", float(result.audit["verdict"] == "pass"), 1.0, 0.0, "audit of the run")


def slider(machine: Machine, name: str, mass: float, place: tuple[float, float], **keys: Any) -> None:
    """A mass that moves up and down from (x, z)."""
    joint = {"kind": "prismatic", "axis": UPWARDS, "origin": [place[0], 0.0, place[1]]}
    machine.body(name, mass=mass, joint=joint, **keys)


def sheave(x: float, z: float, radius: float, **keys: Any) -> dict[str, Any]:
    """A wheel upright in the plane of x and z."""
    return {"kind": "sheave", "point": [x, 0, z], "radius": radius, "axis": ACROSS, **keys}
