"""Natural frequencies along a motion: the machine is linearised at rest with its signals as they are at each instant.

Modes are classified by the coordinates with most kinetic energy: the families are the kinds of coordinates
(``along``, ``turn`` and ``across`` of a ritz cable, ``bend`` and ``stretch`` of a chain) and each coordinate of a body.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr
from scipy.linalg import eigh, null_space

from taut.analyses.modes import linearise
from taut.analyses.statics import statics
from taut.model import Model
from taut.model.enums import JointKind

RITZ_FAMILIES = {"u": "along", "turn": "turn", "x": "across", "y": "across"}


@dataclass(frozen=True)
class ModesAlong:
    """Undamped natural frequencies at instants of a motion."""

    times: np.ndarray  # times of the samples [s], shape [time]
    # undamped natural frequencies [Hz], ascending; negative for an unstable direction, shape [time, mode]
    frequencies: np.ndarray
    families: list[list[str]]  # which part of the machine moves most, by time and mode

    def to_xarray(self) -> xr.Dataset:
        """Frequencies and families as a dataset over time."""
        frequency = (("time", "mode"), self.frequencies, {"units": "Hz", "long_name": "undamped natural frequency"})
        return xr.Dataset({"frequency": frequency, "family": (("time", "mode"), np.array(self.families))},
                          coords={"time": ("time", self.times, {"units": "s"})})  # fmt: skip


def modes_along(model: Model, times: Any, *, count: int = 24) -> ModesAlong:
    """Find the natural frequencies at each of the times.

    Args:
        model: the machine.
        times: instants at which its signals are taken [s].
        count: how many modes at each; all that there are, if fewer.

    Raises:
        ScenarioError: the machine has no equilibrium at one of them.
    """
    names = column_families(model)
    found, families = [], []
    for time in np.asarray(times, float):
        linear = linearise(model, statics(model, time=float(time)).data)
        Z = null_space(linear.J) if len(linear.J) else np.eye(model.column_count)
        M, K = Z.T @ linear.M @ Z, Z.T @ linear.relaxed() @ Z
        most = min(count, len(M)) - 1
        squares, vectors = eigh(0.5 * (K + K.T), 0.5 * (M + M.T), subset_by_index=(0, most))
        found.append(np.sign(squares) * np.sqrt(np.abs(squares)) / (2 * np.pi))
        shapes = Z @ vectors
        families.append(main_families(names, shapes * (linear.M @ shapes)))
    return ModesAlong(np.asarray(times, float), np.array(found), families)


def column_families(model: Model) -> list[str]:
    """Family of every column."""
    nodes, names = model.tables.nodes, model.names
    found = []
    for name, column in zip(names.columns, model.tables.columns, strict=True):
        label = name.rsplit(".", 1)[-1]
        if nodes["kind"][column.node] == JointKind.RITZ:
            found.append(RITZ_FAMILIES[label.rstrip("0123456789")])
        elif re.fullmatch(r"(bend|stretch)\d+", names.nodes[column.node].rsplit(".", 1)[-1]):
            found.append(names.nodes[column.node].rsplit(".", 1)[-1].rstrip("0123456789"))
        else:
            found.append(name)
    return found


def main_families(names: list[str], energies: np.ndarray) -> list[str]:
    """The family with most kinetic energy in each mode, energies of shape [column, mode]."""
    families = list(dict.fromkeys(names))
    rows = np.array([np.array(names) == family for family in families])
    shares = rows @ energies
    return [families[k] for k in np.argmax(shares, axis=0)]
