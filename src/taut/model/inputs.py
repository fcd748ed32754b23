"""Which signals act by their values alone, and which by their derivatives too."""

from typing import Any

import numpy as np

from taut.model.enums import DRIVEN_JOINTS, JointKind


def force_signals(tables: dict[str, Any]) -> set[int]:
    """Signals that act by their values alone: forces and torques, and nothing that moves."""
    nodes = tables["nodes"]
    is_moved = np.isin(nodes["kind"], [JointKind.DRIVEN, *DRIVEN_JOINTS])
    moving = [nodes["signal"][is_moved], nodes["feed"], tables["columns"]["feed"], tables["closures"]["signal"],
              tables["tethers"]["signal"], tables["ritz"]["signal"], tables["ritz"]["feed"]]  # fmt: skip
    acting = [tables["wrenches"]["signal"], tables["columns"]["signal"]]
    return _members(acting) - _members(moving)


def _members(columns: list[np.ndarray]) -> set[int]:
    return {int(k) for column in columns for k in np.ravel(column)}
