"""Laws of one coordinate by definition, in plain numpy: what the audit judges by and the build asks.

e is the stretch (or turn) beyond the free position, z the internal state of a law that has one, k its ``stiffness`` and
p its ``parameter`` row of the tables. A force acts on the coordinate, so a spring's is negative for e > 0. A parallel
damper is common to all laws; where a law is slack, as its ``ends`` say, it does not act. ``dynamics/forces/laws.py``
repeats it, compiled, with slopes.
"""

from collections.abc import Callable
from enum import IntEnum, unique
from typing import Any, NamedTuple

import numpy as np


@unique
class LawKind(IntEnum):
    """Force of a joint coordinate or of a cable's material."""

    NONE = 0
    LINEAR = 1  # spring and parallel damper (Kelvin-Voigt)
    BILINEAR = 2  # linear above the free position; slack stiffness and no damper below
    POLYNOMIAL = 3  # sum of k_i x^i and a parallel damper
    STANDARD_LINEAR_SOLID = 4  # a spring beside a spring and damper in series; one internal state
    BACKLASH = 5  # linear beyond a gap to either side of the free position; no force inside
    MOTOR = 6  # a force by signal, or one that leads the coordinate to a signal, within limits
    LAGGED_MOTOR = 7  # a motor with a first-order lag: its internal state is the force


def no_ends(p: Any) -> list[tuple[float, float]]:
    """Levels of a law that is never slack: none."""
    return []


class LawDefinition(NamedTuple):
    """A law's force and energy of (k, p, e, z), and what the build must know of it."""

    force: Callable[[Any, Any, Any, Any], Any]
    energy: Callable[[Any, Any, Any, Any], Any]
    parameter_count: int = 0
    has_state: bool = False  # whether it has an internal state, which starts at the deflection e
    # borders of the region in which a law acts that can go slack: (sign, level) of each, from the parameters. It acts
    # where sign e > level for any of them; elsewhere its damper is off. Steps end there, at an event. A law whose
    # stiffness only jumps has none
    ends: Callable[[Any], list[tuple[float, float]]] = no_ends
    names: tuple[str, ...] = ()  # names of the law in a scenario


def beyond(p: Any, e: Any) -> Any:
    """Stretch beyond a gap p_1 to either side."""
    return e - np.clip(e, -p[0], p[0])


LAWS: dict[LawKind, LawDefinition] = {
    LawKind.NONE: LawDefinition(
        force=lambda k, p, e, z: 0.0 * e,
        energy=lambda k, p, e, z: 0.0 * e,
    ),
    LawKind.LINEAR: LawDefinition(
        force=lambda k, p, e, z: -k * e,
        energy=lambda k, p, e, z: 0.5 * k * e**2,
        names=("linear", "kelvin-voigt"),
    ),
    LawKind.BILINEAR: LawDefinition(
        force=lambda k, p, e, z: -np.where(e >= 0.0, k, p[0]) * e,
        energy=lambda k, p, e, z: 0.5 * np.where(e >= 0.0, k, p[0]) * e**2,
        parameter_count=1,
        ends=lambda p: [(1.0, 0.0)],
        names=("bilinear",),
    ),
    LawKind.POLYNOMIAL: LawDefinition(
        force=lambda k, p, e, z: -k * e - sum(p[i] * e ** (i + 2) for i in range(7)),
        energy=lambda k, p, e, z: 0.5 * k * e**2 + sum(p[i] * e ** (i + 3) / (i + 3) for i in range(7)),
        parameter_count=7,
        names=("polynomial",),
    ),
    LawKind.STANDARD_LINEAR_SOLID: LawDefinition(
        force=lambda k, p, e, z: -k * e - p[0] * (e - z),
        energy=lambda k, p, e, z: 0.5 * k * e**2 + 0.5 * p[0] * (e - z) ** 2,
        parameter_count=2,
        has_state=True,
        names=("standard-linear-solid",),
    ),
    LawKind.BACKLASH: LawDefinition(
        force=lambda k, p, e, z: -k * beyond(p, e),
        energy=lambda k, p, e, z: 0.5 * k * beyond(p, e) ** 2,
        parameter_count=1,
        ends=lambda p: [(1.0, p[0]), (-1.0, p[0])],
        names=("backlash",),
    ),
    # parameters of both motors: 1, lag, D, largest force, largest power, F_0, whether the signal is a force
    # (``motor_force``)
    LawKind.MOTOR: LawDefinition(
        force=lambda k, p, e, z: 0.0 * e,
        energy=lambda k, p, e, z: 0.0 * e,
        parameter_count=7,
    ),
    LawKind.LAGGED_MOTOR: LawDefinition(
        force=lambda k, p, e, z: z + 0.0 * e,
        energy=lambda k, p, e, z: 0.0 * e,
        parameter_count=7,
        has_state=True,
    ),
}


def motor_force(column: Any, x: Any, v: Any, signal: Any) -> Any:
    """What a motor is asked for, within its limits: K (r - x) + D (r' - v) + F_0, or r + F_0.

    x is the coordinate beyond its free position, v its rate; ``signal`` are r and r'. At most the largest force and,
    at the speed v, the largest power.
    """
    p, (r, r_rate) = column["parameter"], signal
    asked = p[5] + (r if p[6] > 0.0 else column["stiffness"] * (r - x) + p[2] * (r_rate - v))
    most = np.full(np.shape(v), p[3])
    if p[4] > 0.0:
        most = np.minimum(most, p[4] / np.maximum(np.abs(v), 1e-300))
    return np.clip(asked, -most, most)


KINDS = {name: kind for kind, law in LAWS.items() for name in law.names}  # kind of a law by its name in a scenario
