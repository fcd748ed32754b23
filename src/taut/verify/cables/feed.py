"""Cables that are paid out and hauled in, against independent solutions and by their work-energy balance.

The worked case: a cable of 1 kg/m with a payload of 5 kg, inclined by 0.2 rad, stretched by its load and released at
rest, is paid out at up to 0.5 m/s. Reference: moving-mesh finite elements and material nodes inserted at the exit,
which agree to 1e-5 m. Hauling in and a fast payout, where the flow matters most, must converge with the number of
elements and balance their energy. A pendulum that is hoisted obeys (l^2 theta')' + g l sin(theta) = 0.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from taut.build import build
from taut.integrate.simulate import simulate
from taut.model import Model
from taut.results.result import Result
from taut.scenario.builder import Machine
from taut.verify.quantity import Quantity, at_most

WORKED = "two independent discretisations of the continuum, which agree to 1e-5 m"
BALANCE = "our limit for the work-energy balance in the form of the winch's force"
PLACES = np.array([[0.153493, -5.372414], [-0.945140, -5.798289], [-0.529618, -6.353092],
                   [0.682922, -6.841162], [0.924319, -7.317321], [-0.051188, -7.875155]])  # fmt: skip
TENSIONS = np.array([104.397, 106.124, 112.719, 117.226, 120.882, 127.832])
LIMITS = {20: 1e-3, 40: 0.35e-3}  # allowed position error by number of elements [m]
G, ANGLE = 9.81, 0.2


def quantities() -> Iterator[Quantity]:
    """Run all cases."""
    for elements, limit in LIMITS.items():
        result = worked_case(elements)
        yield at_most(f"worked case, {elements} elements, payload", place_error(result), limit, WORKED, "m")
        yield at_most(f"worked case, {elements} elements, energy balance", balance(result), 1e-6, BALANCE)
    tension = result["cable_tension_exit"].values[seconds(result), 0]
    # the discretisation error of the tension has the same order as that of the position
    yield at_most(
        "worked case, 40 elements, tension at the exit", float(np.abs(tension - TENSIONS).max()), 0.05, WORKED, "N"
    )
    for name, machine in (("haul in", hauled_in), ("fast payout", paid_out)):
        paths = []
        for elements in (10, 20, 40):
            result = simulate(build(machine(elements).scenario()))
            paths.append(result["body_position"].values[:, 0])
            yield at_most(f"{name}, {elements} elements, energy balance", balance(result), 1e-6, BALANCE)
        first, second = (np.linalg.norm(b - a, axis=1).max() for a, b in zip(paths, paths[1:], strict=False))
        yield at_most(f"{name}: change from 20 to 40 elements against that from 10 to 20", float(second / first), 0.5,
                      "convergence with the number of elements")  # fmt: skip
    yield Quantity("hoisting pendulum, angle at 10 s", hoisting_angle(), 0.010080954810, 1e-8,
                   "ordinary differential equation of the pendulum, to all digits", "rad")  # fmt: skip


def fed_cable(name: str, elements: int, length: float, payload: float, winch: dict[str, Any]) -> Machine:
    """A cable of 1 kg/m with a hinged exit at the origin, and a payload that hangs on it at an angle."""
    machine = Machine(name)
    place = [length * np.sin(ANGLE), 0.0, -length * np.cos(ANGLE)]
    machine.body("load", mass=payload, joint={"kind": "point", "position": place})
    machine.driver("winch", kind="winch", **winch)
    machine.cable("rope", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], elements=elements, length=length, radius=1e-4,
                  mass_per_length=1.0, axial_stiffness=1e6, axial_damping=1e3, exit_bending="hinged",
                  winch="winch")  # fmt: skip
    return machine


def worked_case(elements: int) -> Result:
    """Run a load on a slanted cable that a winch pays out, from rest."""
    ramp = {"kind": "waypoints", "times": [0.0, 0.5], "values": [0.0, 0.5], "blend": "quintic"}
    machine = fed_cable("worked case of a feed", elements, 5.0, 5.0, {"rate": ramp, "start": "raw"})
    machine.run(duration=6.0, save_every=0.05, tolerance=1e-8)
    return simulate(stretched(build(machine.scenario()), elements))


def stretched(model: Model, elements: int) -> Model:
    """The machine with every element of its cable stretched by what hangs on it at rest."""
    q, length = model.start_coordinates.copy(), 5.0 / elements
    hanging = 5.0 + 5.0 * (1.0 - (np.arange(elements) + 0.5) / elements)  # mass below the middle of each element [kg]
    stretch = length * (1.0 + hanging * G * np.cos(ANGLE) / 1e6)
    nodes = model.tables.nodes
    q[nodes["coordinate"][list(model.names.cables["rope"])]] = stretch
    load = nodes[model.names.bodies["load"]].coordinate
    q[load : load + 3] *= stretch.sum() / 5.0
    return replace(model, start_coordinates=q)


def hauled_in(elements: int) -> Machine:
    """A cable that is hauled in: L = 8 - 0.6 t."""
    machine = fed_cable("haul in", elements, 8.0, 5.0, {"length": "8 - 0.6*t"})
    return machine.run(duration=8.0, save_every=0.05, tolerance=1e-8)


def paid_out(elements: int) -> Machine:
    """A cable paid out from 4 to 10 m at 2 m/s, with a payload of 1 kg: most of the mass is in the cable."""
    # full speed is reached in 1.5 s: with a faster start the feed would outrun the fall of the cable
    ramp = {"kind": "waypoints", "times": [0.0, 1.5], "values": [0.0, 2.0], "blend": "quintic"}
    machine = fed_cable("fast payout", elements, 4.0, 1.0, {"rate": ramp, "start": "raw"})
    return machine.run(duration=3.75, save_every=0.05, tolerance=1e-8)


def hoisting_angle() -> float:
    """A heavy payload on a light, stiff cable, hauled in from 10 to 5 m."""
    start, speed, angle = 10.0, -0.5, 0.01
    axis = np.array([np.sin(angle), 0.0, -np.cos(angle)])
    machine = Machine("hoisting pendulum")
    machine.body("load", mass=1000.0, joint={"kind": "point", "position": start * axis, "velocity": speed * axis})
    machine.driver("winch", kind="winch", length="10 - 0.5*t", start="raw")
    machine.cable("rope", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], elements=1, length=start, radius=1e-4,
                  mass_per_length=1e-6, axial_stiffness=1e13, axial_damping=1e11, exit_bending="hinged",
                  winch="winch")  # fmt: skip
    machine.run(duration=10.0, save_every=1.0, tolerance=1e-10)
    x, _, z = simulate(build(machine.scenario()))["body_position"].values[-1, 0]
    return float(np.arctan2(x, -z))


def seconds(result: Result) -> list[int]:
    """Numbers of the samples at 1, 2, ..., 6 s."""
    return [int(np.argmin(np.abs(result.time - second))) for second in range(1, 7)]


def place_error(result: Result) -> float:
    """Largest distance of the payload from where it should be [m]."""
    place = result["body_position"].values[seconds(result), 0][:, [0, 2]]
    return float(np.linalg.norm(place - PLACES, axis=1).max())


def balance(result: Result) -> float:
    """Error of the energy balance against the energy exchanged."""
    relative = result.audit["energy"]["relative"]
    return float("nan") if relative is None else float(relative)
