"""Ways of the ropes that a controller leads a body by, laid over their guides with the bodies where they will be.

The lengths are those of the routes that the engine computes with (``kernels/routes.py``), for any guides: holes,
sheaves, a pulley at the exit, on the body that is led, on others, or on an exit that follows signals.
"""

from dataclasses import dataclass

import numpy as np

from taut.build.machine.reeving import Reeving
from taut.kernels.moving_ropes import MovingRopes, lay_ropes
from taut.model import tables
from taut.model.laid_tables import laid_tables


@dataclass(frozen=True)
class Motion:
    """Position and motion of a body, world axes."""

    place: np.ndarray
    rotation: np.ndarray
    velocity: np.ndarray
    spin: np.ndarray
    acceleration: np.ndarray
    spin_rate: np.ndarray


def still(place: np.ndarray, rotation: np.ndarray) -> Motion:
    """A body that does not move."""
    return Motion(place, rotation, *np.zeros((4, 3)))


class LedRopes:
    """Ropes, in the order of the winches, that are led by moving bodies, in the order of the reeving."""

    def __init__(self, reeving: Reeving) -> None:
        """Make tables of the ropes, with all bodies where they are at the start."""
        ropes = [winch.guides for winch in reeving.winches.values()]
        found = laid_tables(ropes)
        n, count = len(reeving.bodies), len(found["guides"])
        self.rows = {name: row for row, name in enumerate(reeving.bodies)}
        self.ropes = MovingRopes(
            **found,
            places=tables.new_table(tables.DATA_GUIDES, count, np.complex128),
            origins=np.zeros((n, 3)),
            turns=np.zeros((n, 3, 3)),
            rates=np.zeros((n, 6)),
            seconds=np.zeros((n, 6)),
            arms=np.zeros((count, 3)),
            lengths=np.zeros((len(ropes), 3)),
            loads=np.zeros((len(ropes), n, 6)),
        )
        for name, (R, x) in reeving.bodies.items():
            self.put(name, still(x, R))

    def put(self, body: str, motion: Motion) -> None:
        """Set the position and motion of a body."""
        row, ropes = self.rows[body], self.ropes
        ropes.origins[row], ropes.turns[row] = motion.place, motion.rotation
        ropes.rates[row, :3], ropes.rates[row, 3:] = motion.velocity, motion.spin
        ropes.seconds[row, :3], ropes.seconds[row, 3:] = motion.acceleration, motion.spin_rate

    def lay(self) -> np.ndarray:
        """Length, rate and second rate of every rope [rope, 3]; NaN of one that has no such way."""
        lay_ropes(self.ropes)
        return self.ropes.lengths

    def loads(self, body: str) -> np.ndarray:
        """Force and moment about its origin of a unit tension of every rope on a body, as laid last [rope, 6]."""
        return self.ropes.loads[:, self.rows[body]]
