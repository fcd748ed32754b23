"""States of a reduced machine in the coordinates of the full one."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.build.cables.ritz_shapes import ReducedRitz
from taut.integrate.samples.raw import Samples, new_samples
from taut.integrate.samples.reduced import expand_chain
from taut.model import Model

STEP = 1e-4  # time step of the differences that give rates [s]


def expand_samples(full: Model, reduced: Model, arrays: dict[str, np.ndarray]) -> Samples:
    """Samples of the full machine from channels of the reduced one; the cables element by element."""
    samples = new_samples(full, arrays["time"])
    q, v, a = arrays["joint_position"], arrays["joint_velocity"], arrays["joint_acceleration"]
    numbers = {name: i for i, name in enumerate(reduced.names.nodes)}
    other = {reduced.names.cables[cable][0] for cable in reduced.reduced}
    for i, name in enumerate(full.names.nodes):
        # elements have no counterpart in the reduced machine; they are computed from its shapes below
        if name not in numbers or numbers[name] in other:
            continue
        here, there = full.tables.nodes[i], reduced.tables.nodes[numbers[name]]
        samples.q[:, full.coordinates_of(i)] = q[:, reduced.coordinates_of(numbers[name])]
        for target, source in ((samples.v, v), (samples.a, a)):
            count = int(here.column_count)
            target[:, here.column : here.column + count] = source[:, there.column : there.column + count]
    for cable in reduced.reduced:
        fill = fill_modes if isinstance(reduced.reduced[cable], ReducedRitz) else fill_cable
        fill(full, reduced, cable, (q, v, a), samples)
    # a reduction keeps all closures: multipliers and works carry over
    samples.lam[:] = arrays["multiplier"]
    samples.work[:, 0], samples.work[:, 1] = arrays["work_input"], arrays["work_dissipated"]
    return samples


def fill_modes(full: Model, reduced: Model, cable: str, state: tuple[np.ndarray, ...], samples: Samples) -> None:
    """Coordinates of a Ritz cable's modes."""
    there = reduced.tables.nodes[reduced.names.cables[cable][0]]
    here = full.tables.nodes[full.names.cables[cable][0]]
    V = reduced.reduced[cable].shapes.matrix()
    starts = ((there.coordinate, here.coordinate), *[(there.column, here.column)] * 2)
    for source, target, (i, j) in zip(state, (samples.q, samples.v, samples.a), starts, strict=True):
        target[:, j : j + len(V)] = source[:, i : i + V.shape[1]] @ V.T


def fill_cable(full: Model, reduced: Model, cable: str, state: tuple[np.ndarray, ...], samples: Samples) -> None:
    """Coordinates of one cable's elements, and their rates by differences along the motion of the shapes."""
    node = reduced.tables.nodes[reduced.names.cables[cable][0]]
    n = int(node.column_count)
    z = state[0][:, node.coordinate : node.coordinate + n]
    rate, second = (part[:, node.column : node.column + n] for part in state[1:])
    chain = Chain.of(full, cable)
    before, here, after = (
        chain.coordinates(reduced.reduced[cable].shapes, z + s * rate + 0.5 * s * s * second)
        for s in (-STEP, 0.0, STEP)
    )
    samples.q[:, chain.places] = here
    samples.v[:, chain.columns] = (after - before) / (2 * STEP)
    samples.a[:, chain.columns] = (after - 2 * here + before) / STEP**2


@dataclass(frozen=True)
class Chain:
    """The joints of a cable of elements."""

    kinds: np.ndarray  # joint kinds of the bends [element]
    rotations: np.ndarray  # rotations of the bends' joint frames on their parents [element, 9]
    places: np.ndarray  # entries of all coordinates in q
    columns: np.ndarray  # entries of all coordinates in v
    chosen: np.ndarray  # which coordinate of its element each entry is: 0 and 1 for the angles, 2 for the length

    @classmethod
    def of(cls, full: Model, cable: str) -> "Chain":
        """Read the joints of a cable off the tables."""
        nodes, stretches = full.tables.nodes, list(full.names.cables[cable])
        bends = nodes["parent"][stretches]
        first, counts = nodes["coordinate"][bends], nodes["column_count"][bends]
        last = np.minimum(first + 1, first + counts - 1)
        every = np.stack([first, last, nodes["coordinate"][stretches]], axis=1)
        # a bend in a plane has one angle, a bend in space two
        chosen = np.flatnonzero(np.stack([counts > 0, counts > 1, counts > 0], axis=1))
        places = every.ravel()[chosen]
        columns = full.tables.columns["coordinate"].searchsorted(places)
        return cls(nodes["kind"][bends], nodes["rotation"][bends], places, columns, chosen)

    def coordinates(self, shapes: Any, z: np.ndarray) -> np.ndarray:
        """Coordinates of the elements, in the order of ``places``, at those of the shapes [time, shape]."""
        found, n = np.zeros((len(z), shapes.elements, 3)), shapes.elements
        expand_chain(shapes.mean, shapes.shapes, shapes.directions, shapes.frame, self.kinds, self.rotations, z, found,
                     np.zeros((3, n)))  # fmt: skip
        return found.reshape(len(z), -1)[:, self.chosen]
