"""Piecewise linear forces of a machine: points of its training with their forces, and which machines can have them."""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from taut.build.reduction.reduced import Validity
from taut.model.enums import DRIVEN_JOINTS, JointKind
from taut.model.model import Model
from taut.model.piecewise import piecewise_tables

REACHED = 1e-3  # softening distance of the weights, relative to the distance of neighbouring points
LEAST = 1e-24  # squared distances smaller than this count as zero
DRIVEN = (JointKind.DRIVEN, *DRIVEN_JOINTS)


@dataclass(frozen=True)
class PiecewiseForces:
    """Linear forces at points; the arrays are explained in ``model/piecewise.py``."""

    q: np.ndarray
    v: np.ndarray
    force: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    measure: np.ndarray
    low: np.ndarray  # range of the measured coordinates in training [measured]
    high: np.ndarray

    @property
    def valid(self) -> Validity:
        """Range of the training runs."""
        return Validity(self.low, self.high, np.ones_like(self.low))

    @property
    def count(self) -> int:
        """Number of points."""
        return len(self.q)

    def place(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Measured coordinates of states [..., measured], by which the nearest points are found."""
        return np.concatenate([q, v], axis=-1) @ self.measure.T

    def first(self, count: int) -> "PiecewiseForces":
        """The piecewise model with its first points alone."""
        cut = {name: getattr(self, name)[:count] for name in ("q", "v", "force", "stiffness", "damping")}
        return replace(self, **cut)

    def content(self) -> dict[str, np.ndarray]:
        """All arrays, for a file."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def of(self, model: Model, *, sharpness: float = 0.0) -> Model:
        """The machine with these forces in place of its own; a sharpness: with the weights of the published recipe."""
        measured = self.place(self.q, self.v)
        apart = np.linalg.norm(measured[:, None] - measured, axis=-1) + np.where(np.eye(len(measured)), np.inf, 0.0)
        nearest = apart.min() if len(measured) > 1 else 1.0
        tables = piecewise_tables(
            **{name: getattr(self, name) for name in ("q", "v", "force", "stiffness", "damping", "measure")},
            measured=measured,
            least=np.array([LEAST if sharpness > 0.0 else (REACHED * nearest) ** 2]),
            sharpness=np.array([sharpness]),
        )
        return replace(model, tables=model.tables._replace(piecewise=tables), points=self)


def why_exact(model: Model) -> str:
    """Why a machine's forces cannot be piecewise linear ones; empty if they can."""
    t: Any = model.tables
    columns = t.columns
    if model.coordinate_count != model.column_count or (t.nodes["kind"] == JointKind.SMALL).any():
        return "its coordinates are not all lengths and angles about fixed axes, as those of planar machines are"
    reasons = {
        "joints are driven": np.isin(t.nodes["kind"], DRIVEN).any() or columns["is_held"].any(),
        "lengths of cables change": t.nodes["is_fed"].any() or (columns["feed"] >= 0).any(),
        "it has Ritz cables or reduced ones": (t.nodes["band"] >= 0).any(),
        "it has contacts": len(t.contacts) > 0,
        "it has cables without mass": len(t.tethers) > 0,
        "one-sided closures open and close": bool(t.settings[0].has_holds),
        "laws have a memory": model.state_count > 0,
        "actuators act on its joints": (columns["signal"] >= 0).any() or columns["is_actuated"].any(),
        "joints have brakes": columns["is_braked"].any(),
    }
    return next((why for why, holds in reasons.items() if holds), "")
