"""Which given values are kept when loops are closed at the start, and which had to change.

Loops are closed in stages. Each holds less than the one before, and the first that closes all loops is taken:

    1. poses of bodies, positions of joints and lengths off drums that the user gave: only defaults adapt
    2. poses and lengths: joints adapt
    3. lengths: bodies move
    4. nothing

A column is held by an infinite inertia: its pivot's inverse is zero, and so is its share in every step.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.model import Data, Model
from taut.model.enums import JointKind

NOTED = 1e-6  # smaller changes of a pose or length are not reported; relative to the machine's size, or [rad]
NOTED_JOINT = 1e-3  # smaller changes of a joint are not reported: positions are often given with a few digits
MOST_NAMED = 4
CAUSE = "to close the loops"


@dataclass(frozen=True)
class Moved:
    """A body, joint or length that is not where it was given."""

    name: str
    what: str  # kind of what moved: pose, joint, length, stretch or rate
    distance: float  # distance moved [m]; for a joint in its own unit
    angle: float = 0.0  # angle turned [rad]
    given: float = 0.0  # given value of a joint or length
    found: float = 0.0  # value found of a joint or length


@dataclass(frozen=True)
class Held:
    """Columns that the user has placed, shape [n_columns] each."""

    poses: np.ndarray
    joints: np.ndarray
    lengths: np.ndarray
    rates: np.ndarray

    def stages(self) -> list[np.ndarray]:
        """Columns held in each stage; the last stage holds none."""
        nothing = np.zeros_like(self.poses)
        found = [self.poses | self.joints | self.lengths, self.poses | self.lengths, self.lengths, nothing]
        return [held for k, held in enumerate(found) if k == len(found) - 1 or (held != found[k + 1]).any()]

    def rate_stages(self) -> list[np.ndarray]:
        """Columns held in each stage for velocities: given ones are kept if the others can follow."""
        nothing = np.zeros_like(self.rates)
        return [self.rates, nothing] if self.rates.any() else [nothing]


def held_columns(model: Model) -> Held:
    """The columns of everything that is given; prescribed ones are where their signals say."""
    poses, joints, lengths, rates = (np.zeros(model.column_count, bool) for _ in range(4))
    given = model.plan.given
    for mask, names in ((poses, given.poses), (joints, given.joints), (rates, given.rates)):
        for name in names:
            mask[columns_of(model, model.names.bodies[name])] = True
    for name in given.drums:
        lengths[columns_of(model, model.names.cables[name][0])] = True
    free = model.tables.columns["is_held"] == 0
    return Held(poses & free, joints & free, lengths & free, rates & free)


def columns_of(model: Model, node: int) -> slice:
    """The columns of a node."""
    row = model.tables.nodes[node]
    return slice(int(row.column), int(row.column + row.column_count))


def holding(tables: Any, held: np.ndarray) -> Any:
    """The tables of a machine whose held columns cannot move; for steps alone, its energies are infinite."""
    if not held.any():
        return tables
    columns = tables.columns.copy()
    columns["armature"][held] = np.inf
    return tables._replace(columns=columns)


def find_moved(model: Model, given: Data, found: Data, size: float) -> tuple[Moved, ...]:
    """Given values that have changed; both states must be placed."""
    if model.row_count == 0:
        return ()
    said = model.plan.given
    poses = [moved_pose(name, given.nodes[node], found.nodes[node])
             for name, node in model.names.bodies.items() if name in said.poses]  # fmt: skip
    joints = [moved for name in said.joints for moved in moved_joint(model, name, given.q, found.q)]
    lengths = [moved for name, nodes in model.names.cables.items() for moved in moved_cable(
        model, (name, nodes), given.q, found.q, is_drum=name in said.drums)]  # fmt: skip
    rates = [moved for name in said.rates for moved in moved_rate(model, name, given.v, found.v)]
    least = {"pose": NOTED, "joint": NOTED_JOINT, "length": NOTED, "stretch": NOTED, "rate": NOTED_JOINT}
    return tuple(moved for moved in (*poses, *lengths, *joints, *rates)
                 if moved.distance > least[moved.what] * max(size, 1.0) or moved.angle > least[moved.what])  # fmt: skip


def moved_pose(name: str, before: Any, after: Any) -> Moved:
    """How far a body's origin is from where it was, and by how much it has turned."""
    turn = before.R.reshape(3, 3).T @ after.R.reshape(3, 3)
    sine = 0.5 * np.linalg.norm([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    angle = float(np.arctan2(sine, 0.5 * (np.trace(turn) - 1.0)))
    return Moved(name, "pose", float(np.linalg.norm(after.x - before.x)), angle)


def moved_joint(model: Model, name: str, before: np.ndarray, after: np.ndarray) -> list[Moved]:
    """The coordinate of a joint that changed most; of a spherical joint its turn."""
    columns = model.tables.columns[columns_of(model, model.names.bodies[name])]
    turns = [turn_between(before, after, int(column.coordinate)) for column in columns if column.component == 0]
    places = [int(column.coordinate) for column in columns if column.component < 0 and not column.is_held]
    found = [Moved(name, "joint", turn, 0.0, 0.0, turn) for turn in turns]
    found += [Moved(name, "joint", float(abs(after[i] - before[i])), 0.0, float(before[i]), float(after[i]))
              for i in places]  # fmt: skip
    return sorted(found, key=lambda moved: -moved.distance)[:1]


def turn_between(before: np.ndarray, after: np.ndarray, first: int) -> float:
    """Angle between the quaternions of two states [rad]."""
    cosine = abs(float(before[first : first + 4] @ after[first : first + 4]))
    return 2.0 * float(np.arccos(min(cosine, 1.0)))


def moved_rate(model: Model, name: str, before: np.ndarray, after: np.ndarray) -> list[Moved]:
    """The rate of a body or its joint that changed most."""
    columns = columns_of(model, model.names.bodies[name])
    found = [Moved(name, "rate", float(abs(b - a)), 0.0, float(a), float(b))
             for a, b in zip(before[columns], after[columns], strict=True)]  # fmt: skip
    return sorted(found, key=lambda moved: -moved.distance)[:1]


def moved_cable(
    model: Model, cable: tuple[str, tuple[int, ...]], before: np.ndarray, after: np.ndarray, *, is_drum: bool
) -> list[Moved]:
    """Change of the length off a drum, and of the stretch of all elements after it."""
    name, nodes = cable
    rows = model.tables.nodes.view(np.ndarray)[list(nodes)]
    chain = rows["coordinate"][rows["kind"] == JointKind.STRETCH]
    if not len(chain):
        return []
    lengths = [int(row.coordinate) for row in model.tables.feeds if model.names.nodes[row.node] == f"{name}.length"]
    parts = [("stretch", chain), *([("length", lengths)] if is_drum and lengths else [])]
    sums = [(what, float(before[at].sum()), float(after[at].sum())) for what, at in parts]
    return [Moved(name, what, abs(b - a), 0.0, a, b) for what, a, b in sums]


def moved_texts(moved: tuple[Moved, ...]) -> list[str]:
    """Messages about bodies that closing the loops has moved."""
    found = [f"{one.name}: starts {one.distance:.3g} m and {one.angle:.3g} rad away from the pose given, {CAUSE}: "
             "no joint could adapt; give a pose that its joints and cables can reach"
             for one in moved if one.what == "pose"]  # fmt: skip
    found += [f"cable {one.name}: starts with {one.found:.6g} m off its drum instead of {one.given:.6g} m, {CAUSE}"
              for one in moved if one.what == "length"]  # fmt: skip
    stretched = [f"{one.name} by {one.found - one.given:.3g} m" for one in moved if one.what == "stretch"]
    joints, rates = ([f"{one.name} {one.given:.4g} -> {one.found:.4g}" for one in moved if one.what == what]
                     for what in ("joint", "rate"))  # fmt: skip
    found += listed("velocities start other than given, to agree with the loops", rates)
    found += listed(f"cables start longer or shorter than between the ends given, {CAUSE}", stretched)
    return found + listed(f"joints start away from the positions given, {CAUSE}", joints)


def listed(text: str, entries: list[str]) -> list[str]:
    """A line with a few entries and their number; no line without any."""
    more = f", ... {len(entries)} in all" if len(entries) > MOST_NAMED else ""
    return [f"{text}: {', '.join(entries[:MOST_NAMED])}{more}"] if entries else []
