"""Natural frequencies of cables against closed forms.

A chain that hangs on its own: Bessel functions. A shallow cable between level supports [Irvine1974]: its first
symmetric mode depends on lambda^2 = (w l/H)^2 EA l/(H L_e). A cable with a mass at its end: beta tan(beta) = m/M.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq

from taut.analyses.modes import modes
from taut.build import build
from taut.scenario.builder import Machine
from taut.verify.quantity import Quantity, near

G = 9.81
CHAIN = (1.2024127788, 2.7600390551, 4.3268639565)
SHALLOW = {1.0: 3.267886208, 10.0: 4.225833283}
END_MASS = {0.1: 0.3110528482, 1.0: 0.8603335890, 10.0: 1.4288700112}
COUNTS = (10, 20, 40)
SECOND = "the elements' second order"


def quantities() -> Iterator[Quantity]:
    """All closed forms, each with its order of convergence."""
    for k, expected in enumerate(CHAIN):
        found = [chain_frequency(n, k) for n in COUNTS]
        yield from judged(f"hanging chain, mode {k + 1}", found, (expected, 0.01), "Bessel functions")
    for parameter, expected in SHALLOW.items():
        found = [shallow_frequency(n, parameter) for n in COUNTS]
        yield from judged(f"shallow cable, lambda^2 = {parameter:g}", found, (expected, 0.01), "Irvine1974")
    for ratio, expected in END_MASS.items():
        found = [axial_frequency(n, ratio) for n in COUNTS]
        yield from judged(f"axial mode, cable/end mass {ratio:g}", found, (expected, 0.001), "beta tan beta = m/M")


def judged(name: str, found: list[float], goal: tuple[float, float], source: str) -> Iterator[Quantity]:
    """The finest value, and the order seen in the changes."""
    yield near(name, found[-1], goal, source)
    order = float(np.log2((found[1] - found[0]) / (found[2] - found[1])))
    yield Quantity(f"{name}, order", order, 2.0, 0.25, SECOND)


def hanging(elements: int, end_mass: float, stiffness: float) -> Machine:
    """A cable of 1 m and 1 kg that hangs, in its plane, with a mass at its end."""
    machine = Machine("hanging cable", planar=True)
    machine.body("end", mass=end_mass, inertia=[1, 1, 1], position=[0, 0, -1])
    machine.cable("rope", exit=[0, 0, 0], body="end", anchor=[0, 0, 0], elements=elements, length=1.0, radius=1e-4,
                  mass_per_length=1.0, axial_stiffness=stiffness, axial_damping=1e-3,
                  exit_bending="hinged")  # fmt: skip
    return machine


def chain_frequency(elements: int, k: int) -> float:
    """omega_k sqrt(L/g) of a chain with next to nothing at its end."""
    machine = hanging(elements, 1e-9, 1e7)
    return oscillations(machine, "bend")[k] * np.sqrt(1.0 / G)


def axial_frequency(elements: int, ratio: float) -> float:
    """beta = omega L sqrt(rho/EA) of the first axial mode; soft enough to be among the slow modes."""
    stiffness = 1e5
    return oscillations(hanging(elements, 1.0 / ratio, stiffness), "stretch")[0] / np.sqrt(stiffness)


def oscillations(machine: Machine, what: str) -> np.ndarray:
    """Angular frequencies [rad/s] of the modes that move the given joints most, slowest first."""
    model = build(machine.scenario())
    found = modes(model, count=model.column_count)
    is_cable = np.array(["bend" in name or "stretch" in name for name in found.columns])
    is_wanted = np.array([what in name for name in found.columns])
    size = np.abs(found.shapes)
    share = size[:, is_wanted].sum(axis=1) / np.maximum(size[:, is_cable].sum(axis=1), 1e-300)
    return 2 * np.pi * found.frequencies[(share > 0.9) & (found.frequencies > 1e-3)]


def shallow_frequency(elements: int, parameter: float) -> float:
    """omega l sqrt(m/H) of the first symmetric mode in the plane, at a sag of 1/100 of the span."""
    span, line = 100.0, 1.0
    sag, weight = span / 100, line * G
    H = weight * span**2 / (8 * sag)
    effective = span * (1 + 8 * (sag / span) ** 2)
    EA = parameter * H * effective / ((weight * span / H) ** 2 * span)
    length: Any = brentq(lambda L: H * L / EA + 2 * H / weight * np.arcsinh(weight * L / (2 * H)) - span,
                         0.5 * span, 1.5 * span, xtol=1e-13)  # fmt: skip
    machine = Machine("shallow cable", planar=True)
    machine.cable("rope", exit=[0, 0, 0], body="world", anchor=[span, 0, 0], elements=elements, length=float(length),
                  radius=1e-3, mass_per_length=line, axial_stiffness=EA, axial_damping=1.0,
                  exit_bending="hinged")  # fmt: skip
    model = build(machine.scenario())
    return float(2 * np.pi * modes(model, count=1).frequencies[0] * span * np.sqrt(line / H))
