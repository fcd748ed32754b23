"""Ropes over guides with friction that go slack or taut as a whole.

Such a rope is cut into pieces, with slip from one to the next as a coordinate that has no inertia. Friction holds a
tension only against another one, T <= e T', so that all pieces go slack together: when their mean tension does. (They
come to zero within T_e^2/(2 EA) of each other, what the strain T_e / EA of the spring alone makes of T at a coordinate
that pays out; so small a push may last until the mean is zero.) From then on nothing determines the slip, and it rests.
When the sums of lengths say that the rope goes taut (``dynamics.forces.tethers``), it has run to where it was missing:
the pieces, with the lengths D of their ways, the unstrained lengths L, and what the slips s have moved into them by
A s, begin with one strain,
    (D_k - L_k) / L_k = sum (D - L) / sum L                                                                    (1)
that is, L_k = D_k sum L / sum D: as many equations as slips and one more, whose sum holds anyway. The slip begins with
the rates that friction leaves to the tensions: with the damping CA these follow the strain rates at once,
    T_k = EA (D_k - L_k) / L_k + CA (D_k - L_k - A_k s)' / L_k,    s' > 0: T_b = e T_a,   s' < 0: T_a = e T_b,
    s' = 0: T_a / e <= T_b <= e T_a                                                                            (2)
for the pieces a and b before and after each slip; without damping the same holds, with EA for CA, of the rates of
the tensions, which are zero. Other rates would be a jump of the tensions within no time, which no step resolves.
"""

from typing import Any

import numpy as np

from taut.dynamics.residual import place
from taut.integrate.samples.routes import guide_exponent
from taut.model import Data, Model
from taut.model.enums import CapstanKind

MOST_SWEEPS, SETTLED = 1000, 1e-14  # sweeps over the slips of a rope, and the change of rates at which they end


class Ropes:
    """The ropes of a model that consist of several tethers with slip between them."""

    def __init__(self, model: Model) -> None:
        """Find the slips of every such rope, and by how much each lengthens every piece."""
        self.model = model
        self.slips: dict[int, np.ndarray] = {}  # columns of a rope's slips; a rope is named by its first tether
        # matrix A of a rope: length that a unit of slip moves into each piece [piece, slip]
        self.ways: dict[int, np.ndarray] = {}
        self.capstans: dict[int, list[Any]] = {}  # rows of the friction on these slips
        tables = model.tables
        routes: list[int] = tables.tethers["route"].tolist()
        for capstan in tables.capstans[tables.capstans["kind"] == CapstanKind.SLIP]:
            if int(capstan.before) in routes:
                first = int(tables.tethers["first"][routes.index(int(capstan.before))])
                self.slips[first] = np.append(self.slips.get(first, np.zeros(0, int)), int(capstan.column))
                self.capstans.setdefault(first, []).append(capstan)
        for first, columns in self.slips.items():
            pieces = self._pieces(first)
            self.ways[first] = np.array([[self._ratio(row, c) for c in columns] for row in pieces])

    def follow(self, state: Data, event: int) -> list[tuple[int, int]]:
        """Let the other pieces follow one that has changed its side; returns events and their new sides."""
        for first in self.slips:
            pieces = self._pieces(first)
            if event in pieces["event"]:
                side = int(state.modes[event])
                others = [int(j) for j in pieces["event"] if state.modes[j] != side]
                state.modes[others] = side
                if side > 0:
                    self._spread(state, first)
                    self._slide(state, first)
                else:
                    state.v[self.slips[first]] = 0.0
                place(self.model.tables, state)
                return [(j, side) for j in others]
        return []

    def _spread(self, state: Data, first: int) -> None:
        """Set the slips so that all pieces begin with one strain, Eq. (1)."""
        pieces, columns, A = self._pieces(first), self.slips[first], self.ways[first]
        L, D = self._lengths(state, pieces), state.routes["length"][pieces["route"]].copy()
        wanted = D * L.sum() / D.sum()
        state.q[self.model.tables.columns["coordinate"][columns]] += np.linalg.lstsq(A, wanted - L)[0]
        state.v[columns] = 0.0
        place(self.model.tables, state)

    def _slide(self, state: Data, first: int) -> None:
        """Set the rates of the slips by Eq. (2), one after the other until nothing changes (projected Gauss-Seidel)."""
        pieces, columns, A = self._pieces(first), self.slips[first], self.ways[first]
        L, D = self._lengths(state, pieces), state.routes["length"][pieces["route"]]
        EA, CA = float(pieces["stiffness"][0]), float(pieces["damping"][0])
        grows = state.routes["rate"][pieces["route"]] - self._rates(state, pieces)
        # tensions without slip, over CA; and what slips take from them
        pull, takes = grows / L + (EA / CA * (D / L - 1.0) if CA > 0.0 else 0.0), A / L[:, None]
        numbers = pieces["route"].tolist()
        ends = [(numbers.index(int(row.before)), numbers.index(int(row.after))) for row in self.capstans[first]]
        loose = [np.exp(-self._exponent(state, row)) for row in self.capstans[first]]
        rates = np.zeros(len(columns))
        for _ in range(MOST_SWEEPS):
            last = rates.copy()
            for i, ((a, b), share) in enumerate(zip(ends, loose, strict=True)):
                rates[i] = 0.0
                T, by_a, by_b = pull - takes @ rates, -takes[a, i], takes[b, i]
                forward = (share * T[b] - T[a]) / (share * by_b + by_a)
                backward = (T[b] - share * T[a]) / (by_b + share * by_a)
                # neighbours that are not settled yet may leave less than no tension to both together, whatever this
                # slip does: then they share what there is
                level = (T[b] - T[a]) / (by_a + by_b)
                is_pulled = T[a] * by_b + T[b] * by_a > 0.0
                rates[i] = max(forward, 0.0) + min(backward, 0.0) if is_pulled else level
            if np.abs(rates - last).max() <= SETTLED * np.abs(rates).max():
                break
        state.v[columns] = rates

    def _exponent(self, state: Data, capstan: Any) -> float:
        """ln e of the guides of a slip (``dynamics.forces.capstans``, Eqs. 1, 2)."""
        tables, guides = self.model.tables, state.guides
        before, after = tables.routes[int(capstan.before)], tables.routes[int(capstan.after)]
        last, total = int(before.guide + before.count) - 1, 0.0
        for k in range(int(capstan.first), last + 1):
            on = int(after.guide) if k == last else k
            cosine = float(guides["u"][k - 1] @ guides["u"][on])
            wrap = np.arccos(min(max(cosine, -1.0), 1.0))
            if tables.guides["sheave"][k] >= 0:
                wrap = float(guides["wrap"][k] + (guides["wrap"][on] if k == last else 0.0))
            total += float(guide_exponent(tables.guides[k], np.array(wrap)))
        return total

    def _pieces(self, first: int) -> Any:
        tethers = self.model.tables.tethers
        return tethers[first : int(tethers["last"][first]) + 1]

    def _ratio(self, piece: Any, column: int) -> float:
        """Length that a unit of a slip pays out into a piece."""
        tables = self.model.tables
        route: Any = tables.routes[piece.route]
        rows = tables.guides[int(route.guide + route.count) : int(route.guide + route.count + route.feeds)]
        return float(rows["ratio"][(rows["column"] == column) & (rows["is_way"] == 0)].sum())

    def _lengths(self, state: Data, pieces: Any) -> np.ndarray:
        """Unstrained lengths of pieces [m]."""
        return pieces["length"] * self._signal(state, pieces, 0, 1.0) + state.routes["paid"][pieces["route"]]

    def _rates(self, state: Data, pieces: Any) -> np.ndarray:
        """Rates of these lengths by signals [m/s]; what coordinates pay out is in the rates of the routes."""
        return pieces["length"] * self._signal(state, pieces, 1, 0.0)

    def _signal(self, state: Data, pieces: Any, order: int, without: float) -> np.ndarray:
        return np.array([state.signals[k, order] if k >= 0 else without for k in pieces["signal"]])
