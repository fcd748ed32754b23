"""Frames of all nodes as functions of time, with their first two derivatives, by Taylor series along the tree.

With q, q', q'' of every joint, a frame is the product of its parent's with constant and moving ones, and
    (A B)' = A' B + A B',   (A B)'' = A'' B + 2 A' B' + A B''                                          (1)
No formula for velocities, Coriolis or centripetal accelerations is needed, unlike in the engine.
Nodes of the same depth and kind are placed together.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.audit.ritz.ropes import Ropes
from taut.audit.twin.points import Points
from taut.audit.vectors import skew
from taut.model import Model
from taut.model.joints import JOINTS, MODAL_JOINTS, JointKind, axis_of
from taut.model.remembered import remembered

Jet = tuple[np.ndarray, np.ndarray, np.ndarray]  # a quantity, its rate and its second rate
X, Y, Z = np.eye(3)


@dataclass(frozen=True)
class Frames:
    """Placed nodes [order, point, node, ...] for orders 0 to 2, and the world axes of all columns."""

    R: np.ndarray  # rotation matrices, body axes to world axes
    x: np.ndarray  # positions of the nodes' origins, world [m]
    axis: np.ndarray  # world axis of every column [point, column, 3]


def place(model: Model, points: Points, signals: np.ndarray, ropes: list[Ropes]) -> Frames:
    """Place all nodes at all moments; ends of Ritz cables from their fields."""
    nodes, count = model.tables.nodes, len(points)
    R, x = np.zeros((3, count, len(nodes), 3, 3)), np.zeros((3, count, len(nodes), 3))
    R[0, :, 0] = np.eye(3)
    axis = np.zeros((count, model.column_count, 3))
    for kind, members in remembered(model, "levels", levels):
        parent, rows = nodes["parent"][members], nodes[members]
        turned = nodes["rotation"][members].reshape(-1, 3, 3)
        frame = R[:, :, parent] @ turned
        origin = x[:, :, parent] + np.einsum("opnij,nj->opni", R[:, :, parent], nodes["offset"][members])
        here = Placing(rows, frame, origin, axis)
        if kind == JointKind.RITZ:
            place_ropes(here, ropes)
        else:
            PLACERS[kind](here, points, signals)
        R[:, :, members], x[:, :, members] = here.R, here.x
    return Frames(R, x, axis)


def levels(model: Model) -> list[tuple[JointKind, np.ndarray]]:
    """Nodes of one depth and kind together, parents before children; the world is left out."""
    nodes = model.tables.nodes
    depth = [0] * len(nodes)
    for i, parent in enumerate(nodes["parent"].tolist()[1:], 1):
        depth[i] = depth[parent] + 1
    keys = np.array(depth) * 100 + nodes["kind"]
    return [(JointKind(int(key) % 100), np.flatnonzero(keys == key)) for key in np.unique(keys[1:])]


class Placing:
    """Frames of some nodes of one kind while their joints act one after the other."""

    def __init__(self, rows: Any, R: np.ndarray, x: np.ndarray, axis: np.ndarray) -> None:
        """Begin with the joint frames."""
        self.rows, self.R, self.x, self.axis = rows, R, x, axis

    def coordinate(self, points: Points, i: int, k: int) -> Jet:
        """The i-th coordinate of the joints with the rates of column k [point, node]."""
        column = self.rows["column"] + k
        return points.q[:, self.rows["coordinate"] + i], points.v[:, column], points.a[:, column]

    def turn(self, along: np.ndarray, jet: Jet, k: int | None) -> None:
        """Turn about an axis of the frame; that of column k."""
        K = skew(along)
        q, v, a = (part[..., None, None] for part in jet)
        E = np.eye(3) + np.sin(q) * K + (1.0 - np.cos(q)) * (K @ K)
        first = K @ E
        self._mark(along, k)
        self._multiply(E, first * v, first * a + K @ first * v**2)

    def slide(self, along: np.ndarray, jet: Jet, k: int | None) -> None:
        """Move along an axis of the frame."""
        s = turned(self.R, along)
        q, v, a = (part[..., None] for part in jet)
        self._mark(along, k)
        self.x = np.stack([self.x[0] + s[0] * q, self.x[1] + s[1] * q + s[0] * v,
                           self.x[2] + s[2] * q + 2.0 * s[1] * v + s[0] * a])  # fmt: skip

    def turn_freely(self, points: Points, first: int, k: int) -> None:
        """Turn by a quaternion from the first coordinate on; its columns are the axes of the frame."""
        at, column = self.rows["coordinate"] + first, self.rows["column"] + k
        quaternion = np.stack([points.q[:, at + j] for j in range(4)], axis=-1)
        w = skew(np.stack([points.v[:, column + j] for j in range(3)], axis=-1))
        alpha = skew(np.stack([points.a[:, column + j] for j in range(3)], axis=-1))
        for j, along in enumerate((X, Y, Z)):
            self._mark(along, k + j)
        E = quaternion_matrix(quaternion)
        self._multiply(E, w @ E, (alpha + w @ w) @ E)

    def _multiply(self, E: np.ndarray, E1: np.ndarray, E2: np.ndarray) -> None:
        # all products with the same factor at once
        found, by_first = self.R @ E, self.R[:2] @ E1
        found[1] += by_first[0]
        found[2] += 2.0 * by_first[1]
        found[2] += self.R[0] @ E2
        self.R = found  # Eq. (1)

    def _mark(self, along: np.ndarray, k: int | None) -> None:
        if k is not None:
            self.axis[:, self.rows["column"] + k] = turned(self.R[0], along)


def turned(R: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Directions of every node's frame, or one for all of them, in world axes [..., node, 3]."""
    return np.einsum("...nij,nj->...ni", R, along) if along.ndim > 1 else R @ along


def quaternion_matrix(q: np.ndarray) -> np.ndarray:
    """Rotation matrix of a quaternion of any length: 1 + 2 (w [u] + [u]^2) / |q|^2."""
    K = skew(q[..., 1:])
    return np.eye(3) + 2.0 * (q[..., :1, None] * K + K @ K) / np.sum(q * q, axis=-1)[..., None, None]


def _by_moves(kind: JointKind) -> Any:
    """Function that places nodes whose joints are moves one after the other."""

    def placer(here: Placing, points: Points, signals: np.ndarray) -> None:
        i = k = 0  # next entry in q, next column
        for move in JOINTS[kind].moves:
            if move.how == "ball":
                here.turn_freely(points, i, k)
                i, k = i + 4, k + 3
            else:
                along = axis_of(move, here.rows["axis_1"], here.rows["axis_2"])
                (here.turn if move.how == "turn" else here.slide)(along, here.coordinate(points, i, k), k)
                i, k = i + 1, k + 1

    return placer


def _small(here: Placing, points: Points, signals: np.ndarray) -> None:
    """Small rotations as plain coordinates, with sines in the row of the vertical [Wang2018, Eqs. 5, 7]."""
    for k, along in enumerate((X, Y, Z)):
        here.slide(along, here.coordinate(points, k, k), k)
    jets = [here.coordinate(points, k, k) for k in (3, 4, 5)]
    R = np.zeros((3, *jets[0][0].shape, 3, 3))
    R[0, ..., range(3), range(3)] = 1.0
    for order in range(3):
        tx, ty, tz = (jet[order] for jet in jets)
        R[order, ..., 0, 1], R[order, ..., 0, 2], R[order, ..., 1, 0], R[order, ..., 1, 2] = -tz, ty, tz, -tx
        R[order, ..., 2, 0], R[order, ..., 2, 1] = -sine(jets[1])[order], sine(jets[0])[order]
    for k, along in enumerate((X, Y, Z)):
        here.axis[:, here.rows["column"] + 3 + k] = along
    here.R = R


def sine(jet: Jet) -> Jet:
    """Sine of a quantity, with rates."""
    q, v, a = jet
    return np.sin(q), np.cos(q) * v, np.cos(q) * a - np.sin(q) * v**2


def _driven(here: Placing, points: Points, signals: np.ndarray) -> None:
    here.R[:], here.x[:] = 0.0, 0.0
    here.R[0], here.x[0] = np.eye(3), here.rows["start"]
    n, k = np.nonzero(here.rows["signal"] >= 0)
    if len(n):
        here.x[:, :, n, k] += np.moveaxis(signals[:, here.rows["signal"][n, k]], 2, 0)


def _driven_joint(is_turn: bool) -> Any:
    def placer(here: Placing, points: Points, signals: np.ndarray) -> None:
        which = here.rows["signal"][:, 0]
        # a model without signals has an empty table
        given = signals if signals.shape[1] else np.zeros((len(points), 1, 3))
        found = np.where((which >= 0)[:, None], given[:, which], 0.0)
        (here.turn if is_turn else here.slide)(here.rows["axis_1"], tuple(np.moveaxis(found, 2, 0)), None)

    return placer


def place_ropes(here: Placing, ropes: list[Ropes]) -> None:
    """Ends of Ritz cables; their columns act by the shapes' values there."""
    number = {int(modal): n for n, modal in enumerate(here.rows["modal"])}
    for part in ropes:
        at = np.array([number[int(k)] for k in part.family.which])
        moved, turn = part.end()
        here.x[:, :, at] += moved
        here.axis[:, part.family.columns] = part.end_axes()
        if part.rows["is_linear"][0]:
            here.R[:, :, at, 0, 1], here.R[:, :, at, 1, 0] = -turn, turn
        else:
            ends = Placing(here.rows[at], here.R[:, :, at], here.x[:, :, at], here.axis)
            ends.turn(Z, tuple(turn), None)  # type: ignore[arg-type]
            here.R[:, :, at] = ends.R


def _unknown(here: Placing, points: Points, signals: np.ndarray) -> None:
    """A modal node of another kind, which the audit does not model."""
    here.R, here.x = np.full_like(here.R, np.nan), np.full_like(here.x, np.nan)


PLACERS: dict[JointKind, Any] = {
    **{kind: _by_moves(kind) for kind in JOINTS},
    JointKind.SMALL: _small,
    JointKind.DRIVEN: _driven,
    JointKind.DRIVEN_TURN: _driven_joint(True),
    JointKind.DRIVEN_SLIDE: _driven_joint(False),
    **dict.fromkeys(MODAL_JOINTS - {JointKind.RITZ}, _unknown),
}
