"""Detection of parts that move away or turn without limit in a search for rest, while the forces on them persist."""

import numpy as np

from taut.model import Data, Model

FAR, LEAST_FAR = 1000.0, 1000.0  # limits of the distance that a machine may move, relative to its size, and in metres
TURNS = 25.0  # limit of the turn [rad], large enough to compare forces over its last third
LESS = 0.95  # a machine whose forces fall below this share of earlier ones will come to rest, as against a soft spring


class Runaway:
    """Watches whether parts move away or turn without limit in a search for rest."""

    def __init__(self, model: Model, size: float) -> None:
        """Begin without a history of the search."""
        self.model, self.size = model, size
        self.turned = np.zeros(model.column_count)
        self.is_turn = model.tables.columns["is_rotation"].astype(bool)
        self.distance = self.turn = 0.0
        # history of the search: distance of the farthest node [m], and largest unbalanced force
        self.distances: list[tuple[float, float]] = []
        self.turns: list[tuple[float, float]] = []

    def note(self, data: Data, step: np.ndarray, R: np.ndarray) -> None:
        """Note the state after a step of the search."""
        self.turned[self.is_turn] += step[self.is_turn]
        self.distance = float(np.abs(places(self.model, data)).max(initial=0.0))
        self.turn = float(np.abs(self.turned).max(initial=0.0))
        force = float(np.abs(R).max(initial=0.0))
        self.distances.append((self.distance, force))
        self.turns.append((self.turn, force))

    @property
    def goes(self) -> bool:
        """Whether a part moves away without limit."""
        return not self.distance <= max(FAR * self.size, LEAST_FAR) and not is_falling(self.distances)

    @property
    def spins(self) -> bool:
        """Whether a part turns without limit."""
        return self.turn > TURNS and not is_falling(self.turns)

    @property
    def is_lost(self) -> bool:
        """Whether the search can be given up: a part moves away or turns without limit."""
        return self.goes or self.spins


def is_falling(course: list[tuple[float, float]]) -> bool:
    """Whether forces have fallen over the last third of the distance."""
    way, force = np.array(course).T
    before = force[(way > way[-1] / 3.0) & (way <= way[-1] / 1.5)].max(initial=0.0)
    after = force[way > way[-1] / 1.5].max(initial=0.0)
    return bool(np.isfinite(after) and after < LESS * before)


def places(model: Model, data: Data) -> np.ndarray:
    """Positions of all nodes [node, 3], and the lengths paid out by drums as further points."""
    drums = data.q[model.tables.columns["coordinate"][drum_columns(model)]]
    return np.vstack([data.nodes["x"], np.outer(drums, [1.0, 0.0, 0.0])])


def drum_columns(model: Model) -> np.ndarray:
    """Coordinates that are lengths on drums."""
    columns = model.tables.columns
    return np.flatnonzero((columns["armature"] > 0.0) & (columns["is_rotation"] == 0))


def machine_extent(model: Model, data: Data) -> float:
    """Size of a machine [m]: where its nodes are, or how long its parts are if they all start at one place."""
    tables = model.tables
    lengths = [tables.nodes["offset"], tables.closures["point_a"], tables.closures["point_b"],
               tables.guides["point"]]  # fmt: skip
    sizes = [float(np.linalg.norm(part, axis=-1).max(initial=0.0)) for part in lengths]
    sizes += [float(tables.tethers["length"].max(initial=0.0)), float(np.abs(data.nodes["x"]).max(initial=0.0))]
    return max(*sizes, 1e-3)


def reason(model: Model, runaway: Runaway, data: Data, slipping: str) -> tuple[str, str]:
    """Message about a part that moves away or turns without limit, and a remedy; empty if there is none."""
    # a body that flies off also turns, so spinning is reported only if nothing flies off
    if runaway.spins and not runaway.goes:
        name = model.names.columns[int(np.argmax(np.abs(runaway.turned)))]
        return (
            f"{name} turns without end: nothing stops it",
            f"give {name} a spring or friction, or take the torque away",
        )
    if not runaway.goes:
        return "", ""
    # name a drum that pays out before the load that hangs on it
    drums = drum_columns(model)
    paid = np.abs(data.q[model.tables.columns["coordinate"][drums]])
    far = [drum_name(model, c) for c, length in zip(drums, paid, strict=True) if length > 0.3 * runaway.distance]
    if far:
        what = "" if slipping else ": no brake holds it" if len(far) == 1 else ": no brake holds them"
        remedy = "give it a brake that holds what hangs on it; drums of a robot hold it by initial: {pretension: N}"
        return f"{', '.join(far)} pay{'s' if len(far) == 1 else ''} out without end{what}", remedy
    node = int(np.nanargmax(np.abs(data.nodes["x"]).max(axis=1)))
    owner = model.names.nodes[node]
    held = "" if slipping else ": nothing holds it"
    what = f"{owner} goes away without end, {runaway.distance:.2g} m from the origin at last{held}"
    return what, f"hold {owner} by a cable, a joint, a spring, friction or the ground, or take away what pushes it"


def drum_name(model: Model, column: int) -> str:
    """Name of a drum by its cable."""
    return f"{model.names.columns[column].split('.')[0]} drum"
