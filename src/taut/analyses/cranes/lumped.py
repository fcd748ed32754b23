"""What cranes of lumped masses share in the plane and in space: everything follows from the masses' Jacobians.

With p_i the position of mass i and J_i = dp_i/dq,
    M = sum m_i J_i^T J_i                                                                      (1)
    C = sum m_i J_i^T dJ_i/dt                                                                  (2)
    g = -sum m_i J_i^T gravity                                                                 (3)
The positions live in flat space, so that (2) is the matrix of Christoffel's symbols of (1): with symmetric second
derivatives, Gamma_kij = sum m_i (dp_i/dq_k).(d^2 p_i/dq_i dq_j). Hence dM/dt - 2 C is skew-symmetric
[Brogliato2022, Property 1]. Equation (1), written out, is [Brogliato2022, Eqs. 19-21, 33, 39, 63].
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

LENGTHS = ("fixed", "driven", "free")


@dataclass(frozen=True)
class LumpedCrane(ABC):
    """A carrier on rails and N links with a mass at each end.

    Attributes:
        trolley: mass of the trolley [kg].
        masses: of the nodes, the payload last [kg].
        angles: `relative` to the link above (theta), or `absolute` (alpha).
        lengths: of each link `fixed`, `driven` (given as a function of time) or `free`; one word for all.
        gravity: [m/s^2], downwards.
    """

    trolley: float
    masses: tuple[float, ...]
    angles: str = "relative"
    lengths: str | tuple[str, ...] = "free"
    gravity: float = 9.81

    def __post_init__(self) -> None:
        """Refuse what is no crane."""
        if self.angles not in ("relative", "absolute"):
            raise ValueError(f"angles must be relative or absolute, not {self.angles!r}")
        if any(kind not in LENGTHS for kind in self.length_kinds) or len(self.length_kinds) != self.count:
            raise ValueError(f"lengths must be {', '.join(LENGTHS)}, one word or one per link, not {self.lengths!r}")
        if not self.masses or min(self.masses) < 0.0 or self.trolley < 0.0:
            raise ValueError("masses must not be negative, and there must be one at least")

    @property
    def count(self) -> int:
        """Number of links."""
        return len(self.masses)

    @property
    def length_kinds(self) -> tuple[str, ...]:
        """Kind of each link's length: free, fixed or driven."""
        return (self.lengths,) * self.count if isinstance(self.lengths, str) else tuple(self.lengths)

    @property
    @abstractmethod
    def rail_count(self) -> int:
        """Coordinates of the carrier."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of all coordinates, lengths included."""

    @abstractmethod
    def jacobians(self, q: Any) -> np.ndarray:
        """J_i, shape [mass, direction, coordinate]; also for complex q."""

    @abstractmethod
    def rail_masses(self) -> np.ndarray:
        """Mass that each coordinate of the carrier moves without the nodes [kg]."""

    def jacobian_rates(self, q: Any, v: Any) -> np.ndarray:
        """dJ_i/dt, by a complex step along the motion: exact to rounding."""
        step = 1e-30
        return np.imag(self.jacobians(np.asarray(q) + 1j * step * np.asarray(v))) / step

    def kept(self) -> np.ndarray:
        """Coordinates that remain when the rows and columns of fixed and driven lengths are dropped."""
        first = self.size - self.count
        free = [first + n for n, kind in enumerate(self.length_kinds) if kind == "free"]
        return np.array([*range(first), *free])

    def mass_matrix(self, q: Any) -> np.ndarray:
        """Mass matrix M of all coordinates, Eq. (1)."""
        J, m = self.jacobians(q), np.array(self.masses)
        M = np.einsum("i,iak,ial->kl", m, J, J)
        rails = np.arange(self.rail_count)
        M[rails, rails] += self.rail_masses()
        return M

    def coriolis(self, q: Any, v: Any) -> np.ndarray:
        """Matrix C of all coordinates by Christoffel's symbols, Eq. (2)."""
        return np.einsum("i,iak,ial->kl", np.array(self.masses), self.jacobians(q), self.jacobian_rates(q, v))

    def gravity_forces(self, q: Any) -> np.ndarray:
        """g of all coordinates: the gradient of the potential energy, Eq. (3)."""
        return self.gravity * np.einsum("i,ik->k", np.array(self.masses), self.jacobians(q)[:, -1])

    def bias(self, q: Any, v: Any, a: Any | None = None) -> np.ndarray:
        """M_d a_d + C v + g on the coordinates kept; a gives the accelerations of driven lengths."""
        kept = self.kept()
        forces = self.coriolis(q, v) @ v + self.gravity_forces(q)
        if a is not None:
            held = np.setdiff1d(np.arange(self.size), kept)
            forces = forces + self.mass_matrix(q)[:, held] @ np.asarray(a)[held]
        return forces[kept]

    def reduced_mass_matrix(self, q: Any) -> np.ndarray:
        """M on the coordinates kept."""
        kept = self.kept()
        return self.mass_matrix(q)[np.ix_(kept, kept)]
