"""A machine in one space: its workspace, its closed-form legs, its state vector."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.dynamics.residual import place
from taut.dynamics.spaces.equations import COUNTS, Reduced, rate_in_space
from taut.dynamics.spaces.leg_kinematics import Legs
from taut.integrate.coordinates import Choice, choose_columns, new_elimination, size_of
from taut.integrate.start.start_state import start_state
from taut.model import Data, Factor, Model, data_beside, new_factor
from taut.model.enums import ClosureKind, JointKind
from taut.model.tables import new_table
from taut.scenario.errors import Problem, ScenarioError


@dataclass(frozen=True)
class Space:
    """One choice of coordinates of one machine, with everything an evaluation needs."""

    model: Model
    choice: Choice
    reduced: Reduced
    data: Data
    factor: Factor
    body: str = "platform"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the kept coordinates."""
        return tuple(self.model.names.columns[c] for c in self.choice.kept)

    def state(self, data: Data) -> np.ndarray:
        """y = (q, u) of a placed state of the machine."""
        return np.concatenate([data.q, data.v[list(self.choice.kept)]])

    def rate(self, time: float, y: np.ndarray) -> tuple[int, np.ndarray]:
        """How the evaluation ended, and dy/dt; the machine's data then hold positions, velocities, accelerations."""
        dy = np.zeros_like(y)
        code = rate_in_space(self.model.tables, self.data, self.factor, self.reduced, time, y, dy)
        return int(code), dy


def new_space(model: Model, name: str, *, data: Data | None = None, body: str = "platform") -> Space:
    """A machine in the space of that name, chosen at a state (the start if none is given).

    Raises:
        ScenarioError: no such space, no platform or no actuators, or closures that are driven.
    """
    if np.any(model.tables.closures["signal"] >= 0) or np.any(model.tables.nodes["kind"] == JointKind.DRIVEN):
        raise ScenarioError([Problem("driven points have no reduced space: only loops that do not move by themselves")])
    if model.names.tethers or model.names.distances or model.names.routes:
        message = "cables without mass go slack: they have no reduced space"
        raise ScenarioError([Problem(message, remedy="use cables of the kind mrfe, or taut run")])
    given = data if data is not None else start_state(model).data
    at = data_beside(model, given)
    at.q[:], at.v[:] = given.q, given.v
    place(model.tables, at)
    choice = choose_columns(model, at, name, body)
    return Space(model, choice, new_reduced(model, choice, at), at, new_factor(model), body)


def new_reduced(model: Model, choice: Choice, data: Data) -> Reduced:
    """The workspace of a choice of coordinates; the placed state gives the machine's size."""
    n, k, c = model.column_count, len(choice.kept), len(choice.rest)
    return Reduced(
        elimination=new_elimination(model, choice),
        legs=closed_form_legs(model, choice),
        rest=np.array(choice.rest, np.int64),
        is_whole=whole_subsystems(model, choice),
        size=size_of(data),
        counts=new_table(COUNTS, 1),
        applied=np.zeros(n),
        M=np.zeros((n, n)),
        MG=np.zeros((n, k)),
        M_r=np.zeros((k, k)),
        L=np.zeros((k, k)),
        h=np.zeros(n),
        f_r=np.zeros(k),
        J_r=np.zeros((c, k)),
        X=np.zeros((c, k)),
        W=np.zeros((c, c)),
        L_W=np.zeros((c, c)),
        lam=np.zeros(c),
    )


def whole_subsystems(model: Model, choice: Choice) -> np.ndarray:
    """Which sub-systems are kept as a whole."""
    spans = [range(int(s.column), int(s.column + s.column_count)) for s in model.tables.subsystems]
    return np.array([set(span) <= set(choice.kept) for span in spans], np.int64)


def closed_form_legs(model: Model, choice: Choice) -> Legs:
    """The legs that ``place_legs`` can place: universal joint on the world, slide, ball on a free body."""
    found = [leg for j in range(len(model.tables.closures)) if (leg := _leg(model, choice, j)) is not None]
    return Legs(
        nodes=np.array([leg[0] for leg in found], np.int64).reshape(-1, 3),
        points=np.array([leg[1] for leg in found], float).reshape(-1, 3),
        rest=np.array([leg[2] for leg in found], float),
    )


def _leg(model: Model, choice: Choice, j: int) -> tuple[tuple[int, int, int], np.ndarray, float] | None:
    closure = model.tables.closures[j]
    if closure.kind != ClosureKind.POINT or not all(closure.point_rows):
        return None
    ends = [(int(closure.node_a), closure.point_a), (int(closure.node_b), closure.point_b)]
    for (i, on_slide), (b, on_body) in (ends, ends[::-1]):
        nodes = model.tables.nodes
        slide, hinge, body = nodes[i], nodes[int(nodes[i].parent)], nodes[b]
        if not _is_closed_form(slide, hinge, body, on_slide):
            continue
        mine = [*_columns(slide), *_columns(hinge)]
        if set(mine) <= set(choice.eliminated) and set(_columns(body)) <= set(choice.kept):
            return (int(slide.parent), i, b), np.array(on_body), float(np.dot(on_slide, slide.axis_1))
    return None


def _is_closed_form(slide: Any, hinge: Any, body: Any, point: np.ndarray) -> bool:
    if (slide.kind, hinge.kind, body.kind) != (JointKind.PRISMATIC, JointKind.UNIVERSAL, JointKind.FREE):
        return False
    e = slide.axis_1
    is_straight = not slide.is_offset and not slide.is_turned and np.allclose(np.cross(point, e), 0.0, atol=1e-14)
    is_square = abs(e @ hinge.axis_1) < 1e-14 and abs(e @ hinge.axis_2) < 1e-14
    return bool(hinge.parent == 0 and body.parent == 0 and is_straight and is_square)


def _columns(node: Any) -> range:
    return range(int(node.column), int(node.column + node.column_count))
