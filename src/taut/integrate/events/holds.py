"""One-sided closures (cables that do not stretch): which of them hold, and what happens when one snaps taut.

With g the gaps of those that touch, W = J M^-1 J^T of their rows (two-sided closures eliminated) and u = g',
    impact:        u+ = W P + u-,     0 <= P    complementary to  u+ + e u- >= 0                            (1)
    afterwards:    g'' = W lam + b,   0 <= lam  complementary to  g'' >= 0   where u+ = 0                    (2)
P are impulses, e the restitution [Pfeiffer 1996, ch. 8]. The energy lost is -P.(u+ + u-)/2. Rigid ground with friction
adds impulses along it (``rubbing``), and to g'' the accelerations by the friction of lam. The drives of exits and
lengths supply the energy
    -mu.g_t + (T(dv) - T(-dv))/2                                                                            (3)
with the impulses mu of all closures, the rates g_t of their gaps at zero velocity, and the jump dv; the second part is
the momentum that dv takes from prescribed velocities. A wrong jump shows in the energy balance.
"""

from typing import NamedTuple

import numpy as np

from taut.dynamics.energy import kinetic_energy
from taut.dynamics.residual import consistent_accelerations, factor_plain, gap_motion, least_mass_step, place
from taut.dynamics.statics import solve_motion
from taut.integrate.events.impact_law import RESTING, TOUCHING, energy_lost, restitution_at
from taut.integrate.events.rubbing import Blow, rubbing_blow, solve_rubbing
from taut.integrate.start.redundancy import find_rank
from taut.kernels.bounded_qp import bounded_qp
from taut.model import Data, Model, new_factor

IMPACT_SIZE = 9  # numbers stored per impact
PULLED = 1e-9  # a gap opens above this acceleration, relative to the largest, or to 1 m/s^2
INFEASIBLE = 1e-6


class Impact(NamedTuple):
    """Changes of the energies by an impact [J]."""

    lost: float
    given: float


class Holds:
    """The one-sided closures of a model."""

    def __init__(self, model: Model) -> None:
        """Find the one-sided closures and their contacts."""
        closures = model.tables.closures
        self.model = model
        self.numbers = np.flatnonzero(closures["is_unilateral"])
        self.rows, self.events = closures["row"][self.numbers], closures["hold"][self.numbers]
        self.restitution = closures["restitution"][self.numbers]
        self.switches = closures["switch"][self.numbers]
        contacts = model.tables.contacts[model.tables.contacts["drag"] >= 0]
        known = dict(zip(contacts["row"].tolist(), contacts["drag"].tolist(), strict=True))
        # number of the closure's contact on rigid ground with friction; -1 for none
        self.drags = np.array([known.get(int(row), -1) for row in self.rows], int)
        self.motion = np.zeros((len(closures), 3))
        self.factor = new_factor(model)
        # impacts: time [s], closure, rate before and after [m/s], impulse [N s], then impulse and rate after it along
        # the ground
        self.struck: list[tuple[float, ...]] = []

    @property
    def is_any(self) -> bool:
        """Whether there is any one-sided closure."""
        return len(self.numbers) > 0

    @property
    def rubs(self) -> bool:
        """Whether rigid ground has friction."""
        return bool((self.drags >= 0).any())

    def let_go(self) -> None:
        """Give the one-sided closures up to a method that opens and closes them inside its steps."""
        self.numbers = self.numbers[:0]

    def holding(self, data: Data) -> np.ndarray:
        """Which one-sided closures hold."""
        return data.modes[self.events] > 0

    def look(self, data: Data) -> np.ndarray:
        """Gap, rate and acceleration of each at the state in ``data`` [closure, 3]."""
        if self.is_any:
            gap_motion(self.model.tables, data, self.motion)
        return self.motion[self.numbers]

    def usable(self, data: Data) -> np.ndarray:
        """Which one-sided closures have not failed."""
        return ~((self.switches >= 0) & (data.modes[self.switches] > 0))

    def touch(self, data: Data, tolerance: float) -> bool:
        """Let closures hold whose gap has vanished; returns whether any did not hold before."""
        found = (self.look(data)[:, 0] <= tolerance) & self.usable(data) & ~self.holding(data)
        data.modes[self.events[found]] = 1
        return bool(found.any())

    def rubbing(self, data: Data, chosen: np.ndarray, W: np.ndarray) -> np.ndarray:
        """Accelerations of the chosen gaps by the friction of unit multipliers of rigid ground, where all gaps hold.

        With Z of ``dynamics.forces.drag`` no gap is accelerated, so W Z is minus the effect of friction.
        """
        found, drags = np.zeros_like(W), self.drags[chosen]
        if (drags >= 0).any():
            find_rank(self.model, data, self.factor)
            consistent_accelerations(self.model.tables, data, self.factor)
            found[:, drags >= 0] = -W @ self.factor.drag_mu[drags[drags >= 0]][:, self.rows[chosen]].T
        return found

    def candidates(self, data: Data, *, without: int = -1) -> np.ndarray:
        """Closures that hold or whose gap is zero, and that have not failed."""
        size = max(float(np.abs(data.nodes["x"]).max(initial=0.0)), 1.0)
        touching = self.look(data)[:, 0] <= TOUCHING * size
        return np.flatnonzero((touching | self.holding(data)) & self.usable(data) & (self.events != without))

    def interface(self, data: Data, chosen: np.ndarray) -> np.ndarray:
        """Matrix W of the chosen closures, with the two-sided ones eliminated; leaves the chosen ones holding."""
        data.modes[self.events] = -1
        data.modes[self.events[chosen]] = 1
        place(self.model.tables, data)
        factor_plain(self.model.tables, data, self.factor)
        W = np.tril(self.factor.W) + np.tril(self.factor.W, -1).T
        u = self.rows[chosen]
        others = np.setdiff1d(np.arange(self.model.row_count), self.rows)
        W_uo = W[np.ix_(u, others)]
        return W[np.ix_(u, u)] - W_uo @ np.linalg.pinv(W[np.ix_(others, others)], rcond=1e-11) @ W_uo.T

    def strike(self, data: Data, *, is_bouncing: bool = True) -> Impact:
        """Let the velocities in ``data`` jump so that no touching gap closes further, Eq. (1)."""
        chosen = self.candidates(data)
        before = self.look(data)[chosen, 1].copy()
        bounce = np.array([restitution_at(e, rate) for e, rate in zip(self.restitution[chosen], before, strict=True)])
        bounce *= is_bouncing
        blow = self.blow(data, chosen, before, bounce)
        given = self.given(data, blow.mu, blow.jump)
        after = self.look(data)[chosen, 1]
        hits = np.column_stack([self.numbers[chosen], before, after, blow.impulses, blow.along])
        self.struck += [(float(data.time[0]), *map(float, hit)) for hit in hits]
        data.modes[self.events] = -1
        data.modes[self.events[chosen[after <= RESTING]]] = 1
        return Impact(float(energy_lost(blow.impulses, before, after).sum()) + blow.rubbed, given)

    def blow(self, data: Data, chosen: np.ndarray, before: np.ndarray, bounce: np.ndarray) -> Blow:
        """Let the velocities jump by impulses, with friction on rigid ground; closures with an impulse then hold."""
        found = rubbing_blow(self, data, chosen, bounce) if (self.drags[chosen] >= 0).any() else None
        if found is None:
            W = self.interface(data, chosen)
            impulses, _ = bounded_qp(W, (1.0 + bounce) * before, 0.0)
            mu, jump = self.push(data, chosen, impulses, W @ impulses)
            return Blow(impulses, jump, mu, np.zeros((len(chosen), 4)), 0.0)
        data.v[:] += found.jump
        data.modes[self.events] = -1
        data.modes[self.events[chosen[found.impulses > 0.0]]] = 1
        return found

    def given(self, data: Data, mu: np.ndarray, jump: np.ndarray) -> float:
        """Changes of the energies by an impact, Eq. (3) [J]; the closures that were pushed must be those that hold."""
        v, tables = data.v.copy(), self.model.tables
        found = []
        for velocities in (0.0 * jump, jump, -jump):
            data.v[:] = velocities
            place(tables, data)
            found.append((data.rows["rate"].copy(), float(kinetic_energy(tables, data))))
        data.v[:] = v
        place(tables, data)
        return -float(mu @ found[0][0]) + 0.5 * (found[1][1] - found[2][1])

    def push(
        self, data: Data, chosen: np.ndarray, impulses: np.ndarray, change: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Change the velocities so that the rates of the pushed closures change as given, and no others.

        Returns the impulses of all closures and the jump.
        """
        pushed = impulses > 0.0
        if not pushed.any():
            return np.zeros(self.model.row_count), np.zeros(self.model.column_count)
        data.modes[self.events] = -1
        data.modes[self.events[chosen[pushed]]] = 1
        find_rank(self.model, data, self.factor)
        n, m = self.model.column_count, self.model.row_count
        rates, step, mu = np.zeros(m), np.zeros(n), np.zeros(m)
        rates[self.rows[chosen[pushed]]] = change[pushed]
        factor_plain(self.model.tables, data, self.factor)
        solve_motion(self.model.tables, data, self.factor, np.zeros(n), rates, step, mu)
        data.v[:] += step
        return mu, step

    def settle(self, data: Data, *, without: int = -1) -> Impact:
        """Of closures that touch without parting, let those hold that are pulled, Eq. (2); sets accelerations too."""
        chosen = self.candidates(data, without=without)
        chosen = chosen[self.look(data)[chosen, 1] <= RESTING]
        W = self.interface(data, chosen)
        rub = self.rubbing(data, chosen, W)
        # b of Eq. (2): accelerations of the gaps while none of them holds
        data.modes[self.events] = -1
        find_rank(self.model, data, self.factor)
        consistent_accelerations(self.model.tables, data, self.factor)
        b = self.look(data)[chosen, 2].copy()
        multipliers, violation = solve_rubbing(W, rub, b)
        after = (W + rub) @ multipliers + b
        # near-zero accelerations count as held, so that a contact in balance does not switch back and forth
        parting = (after > PULLED * max(1.0, float(np.abs(b).max(initial=0.0)))) & (multipliers <= 0.0)
        held = ~parting if violation < INFEASIBLE else np.ones(len(chosen), bool)
        data.modes[self.events[chosen[held]]] = 1
        find_rank(self.model, data, self.factor)
        # the impact law leaves rates up to RESTING; a closure that holds must have none
        lost = self.catch(data)
        consistent_accelerations(self.model.tables, data, self.factor)
        return Impact(lost, 0.0)

    def catch(self, data: Data) -> float:
        """Set the remaining rates of holding closures to zero; returns the kinetic energy lost [J]."""
        place(self.model.tables, data)
        before = float(kinetic_energy(self.model.tables, data))
        step = np.zeros(self.model.column_count)
        least_mass_step(self.model.tables, data, self.factor, True, step)
        data.v[:] += step
        place(self.model.tables, data)
        return before - float(kinetic_energy(self.model.tables, data))
