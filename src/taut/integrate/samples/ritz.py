"""A Ritz cable at every sample of a run: its shape, tension and torque along it, and the forces at its ends.

Strains of assumed modes vanish at the anchor, whatever the force there. So the force F of the anchor, a multiplier, is
used: the part of it that the modes miss is constant along the cable in the limit of many modes,
    T(xi) = T_m(xi) + (F - T_m(1)) (1 - sum_j E_j eta_j'(xi)/k_j^2)                                         (1)
with T_m the tension by the modes' strains: the method of mode accelerations. The same for the torque.
"""

from typing import Any, NamedTuple

import numpy as np

from taut.build.cables.ritz_integrals import shape_numbers, shapes
from taut.integrate.samples.sums import combined
from taut.model import Model

LEAST_PIECES = 8


class RitzSamples(NamedTuple):
    """One cable at every sample, as ``samples.cables`` wants it."""

    nodes: np.ndarray  # positions of the nodes [m], shape [time, node, 3]
    tension: np.ndarray  # tension in the middle of the pieces between nodes [time, piece] N
    length: np.ndarray  # length [m], shape [time]
    exit_force: np.ndarray  # force on the body at which the cable starts, world axes [N], shape [time, 3]
    anchor_force: np.ndarray  # force on the body at which the cable ends, world axes [N], shape [time, 3]
    at_exit: np.ndarray  # tension at the exit, and (at_anchor) at the anchor [N], shape [time]
    at_anchor: np.ndarray
    torque: np.ndarray | None  # torque at the nodes [N m], shape [time, node]; None without a torsional field


def ritz_samples(model: Model, samples: Any, raw: Any, name: str) -> RitzSamples:
    """Read a cable by its fields."""
    cable = Fields(model, samples, raw, name)
    count = max(cable.modes, LEAST_PIECES)
    ends = np.linspace(0.0, 1.0, count + 1)
    middles = 0.5 * (ends[1:] + ends[:-1])
    force, moment = cable.anchor_force(), cable.anchor_torque()
    pull = -force[:, 2]
    top = cable.tension(np.zeros(1), pull)[:, 0]
    lean = cable.slopes(np.zeros(1))[:, 0]
    exit_force = top[:, None] * np.column_stack([-lean, np.ones(len(top))])
    torque = cable.torque(ends, moment) if cable.row.has_torsion else None
    return RitzSamples(
        cable.places(ends), cable.tension(middles, pull), cable.length, exit_force, force, top, pull, torque
    )


class Fields:
    """The fields of one cable at every sample."""

    def __init__(self, model: Model, samples: Any, raw: Any, name: str) -> None:
        """Pick the cable's coordinates, signals and multipliers."""
        self.model, self.samples, self.name = model, samples, name
        node = model.tables.nodes[model.names.cables[name][0]]
        self.row = model.tables.ritz[int(node.modal)]
        n, lateral = int(self.row.modes), int(self.row.lateral)
        q = samples.q[:, node.coordinate : node.coordinate + node.column_count]
        if name in model.reduced:
            # expand the coordinates of a reduced cable to those of its modes
            reduced = model.reduced[name].shapes
            n, lateral, q = len(reduced.axial), len(reduced.lateral), combined(q, reduced.matrix())
        self.modes, self.lateral = n, lateral
        axial = q[:, : n * (2 if self.row.has_torsion else 1)]
        self.stretch = axial[:, ::2] if self.row.has_torsion else axial
        self.turn = axial[:, 1::2] if self.row.has_torsion else np.zeros_like(axial)
        self.sides = [q[:, axial.shape[1] + k * lateral :][:, :lateral] for k in range(2)]
        feed = raw.signals[:, self.row.feed] if self.row.feed >= 0 else np.ones(len(q))
        self.length = self.row.length * feed
        self.moved = np.column_stack([raw.signals[:, j] if j >= 0 else 0.0 * feed for j in self.row.signal])
        self.weight = -self.row.line_density * model.tables.settings[0].gravity[2]

    def places(self, xi: np.ndarray) -> np.ndarray:
        """World positions [time, place, 3]."""
        along, _ = shapes(self.modes, xi)
        across, _ = shapes(self.lateral, xi)
        points = np.zeros((len(self.length), len(xi), 3))
        points[..., :2] = self.moved[:, None, :2] * (1.0 - xi)[:, None] + self.aside(across)
        points[..., 2] = self.moved[:, 2:] - np.outer(self.length, xi) - combined(self.stretch, along)
        return points + self.row.start

    def slopes(self, xi: np.ndarray) -> np.ndarray:
        """dx/dy and dy/dy of the cable's line, y down [time, place, 2]."""
        _, across = shapes(self.lateral, xi)
        return (self.aside(across) - self.moved[:, None, :2]) / self.length[:, None, None]

    def aside(self, across: np.ndarray) -> np.ndarray:
        """Sums of the lateral shapes, or of their slopes [time, place, 2]."""
        return np.stack([combined(side, across) for side in self.sides], axis=-1)

    def strains(self, xi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Strain beyond that of the reference state, and twist [time, place]."""
        _, along = shapes(self.modes, xi)
        strain, twist = (combined(q, along) / self.length[:, None] for q in (self.stretch, self.turn))
        if self.row.is_actual and self.lateral:
            _, bent = shapes(self.lateral, xi)
            # the components are summed one after the other: arrays of pairs would take twice as long
            for k, side in enumerate(self.sides):
                strain += 0.5 * ((combined(side, bent) - self.moved[:, k, None]) / self.length[:, None]) ** 2
        return strain, twist

    def reference(self, xi: np.ndarray) -> np.ndarray:
        """Tension of the reference state [time, place]."""
        return self.row.tension + self.weight * np.outer(self.length, 1.0 - xi)

    def missing(self, xi: np.ndarray) -> np.ndarray:
        """Share of a force at the end that the modes do not carry, Eq. (1) [place]."""
        k, s = shape_numbers(self.modes)
        _, along = shapes(self.modes, xi)
        return 1.0 - along @ (np.sqrt(2.0) * s / k**2)

    def tension(self, xi: np.ndarray, pull: np.ndarray) -> np.ndarray:
        """Tension by Eq. (1) [time, place]."""

        def by_modes(places: np.ndarray) -> np.ndarray:
            strain, twist = self.strains(places)
            return self.reference(places) + self.row.axial_stiffness * strain + self.row.coupling * twist

        return by_modes(xi) + np.outer(pull - by_modes(np.ones(1))[:, 0], self.missing(xi))

    def torque(self, xi: np.ndarray, moment: np.ndarray) -> np.ndarray:
        """Torque of one cable [N m], shape [time, place]."""

        def by_modes(places: np.ndarray) -> np.ndarray:
            strain, twist = self.strains(places)
            lay = self.row.coupling / self.row.axial_stiffness * self.reference(places)
            return lay + self.row.coupling * strain + self.row.turn_stiffness * twist

        return by_modes(xi) + np.outer(moment - by_modes(np.ones(1))[:, 0], self.missing(xi))

    def multipliers(self, closure: str) -> np.ndarray:
        """Multipliers of one of the cable's closures [time, row]; none without it."""
        name = f"{self.name}.{closure}"
        if name not in self.model.names.closures:
            return np.zeros((len(self.length), 0))
        found = self.model.tables.closures[self.model.names.closures.index(name)]
        return self.samples.lam[:, found.row : found.row + found.row_count]

    def anchor_force(self) -> np.ndarray:
        """Force of the body on the cable's end, world axes [time, 3]."""
        held = self.multipliers("anchor")
        across = held[:, :2] if self.lateral else np.zeros((len(held), 2))
        return np.column_stack([across, -self.multipliers("pull")[:, 0]])

    def anchor_torque(self) -> np.ndarray:
        """Torque in the cable at its end [time], positive as a right-handed screw downwards."""
        return -self.multipliers("anchor")[:, -1] if self.row.has_torsion else np.zeros(len(self.length))
