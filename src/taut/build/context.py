"""What the builders of one scenario share: the scenario, the tree so far, body handles, signals made once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.build.cables.ritz_shapes import ReducedRitz, RitzShapes
from taut.build.reduction.reduced import CableShapes, ReducedCable
from taut.build.tree import ALL_DIRECTIONS, PLANE_DIRECTIONS, WORLD, TreeBuilder
from taut.scenario.scenario import Scenario
from taut.scenario.start_pose import Pose


@dataclass
class Context:
    """One build in progress."""

    scenario: Scenario
    tree: TreeBuilder
    handles: dict[str, int] = field(default_factory=lambda: {"world": WORLD})
    shapes: Mapping[str, CableShapes | RitzShapes] = field(default_factory=dict)  # shapes of reduced cables, by cable
    reduced: dict[str, ReducedCable | ReducedRitz] = field(default_factory=dict)  # reduced cables built so far, by name
    placements: dict[int, Pose] = field(default_factory=dict)  # poses of bodies and driven exits at the start, by node
    # exit of each cable: its node and point
    exits: list[tuple[int, tuple[float, float, float]]] = field(default_factory=list)
    # directions in the world that must turn with the machine, see ``cables.axes``
    lines: list[np.ndarray] = field(default_factory=list)
    signal_handles: dict[str, int] = field(default_factory=dict)
    # handle of a switch, by kind and target of the failure
    switches: dict[tuple[str, str], int] = field(default_factory=dict)

    # nodes of drums, by winch, and winches whose losses are there already
    drums: dict[str, int] = field(default_factory=dict)
    rubbed: set[str] = field(default_factory=set)

    def signal(self, spec: Any) -> int:
        """Handle of a signal, shared by all that ask for an equal one; -1 for none or zero."""
        if spec is None or (isinstance(spec, float | int) and spec == 0):
            return -1
        return self.real_signal(spec)

    def real_signal(self, spec: Any) -> int:
        """Handle of a signal, also of one that is zero."""
        key = repr(spec)
        if key not in self.signal_handles:
            duration = self.scenario.run.duration
            curve = self.scenario.signal(spec)
            terms, breakpoints = curve.terms(duration), curve.breakpoints(duration)
            self.signal_handles[key] = self.tree.add_signal(terms, breakpoints, curve)
        return self.signal_handles[key]

    def signals(self, specs: Any) -> list[int]:
        """Handles of several signals."""
        return [self.signal(spec) for spec in specs]

    def switch(self, kind: str, target: str | None) -> int:
        """Handle of the switch by which a target fails; -1 if it does not fail."""
        return self.switches.get((kind, target or ""), -1)

    def directions(self) -> tuple[bool, bool, bool]:
        """World directions in which points are held: a planar machine has no y."""
        return PLANE_DIRECTIONS if self.scenario.planar else ALL_DIRECTIONS

    def placement(self, body: str) -> Pose:
        """Rotation and origin of a body at the start, as given."""
        return self.placements[self.handles[body]]

    def to_world(self, body: str, point: Any) -> np.ndarray:
        """World position at the start of a point given in a body's frame."""
        R, x = self.placement(body)
        return x + R @ np.asarray(point, float)

    def to_body(self, body: str, point: Any) -> np.ndarray:
        """A world point at the start in a body's frame."""
        R, x = self.placement(body)
        return R.T @ (np.asarray(point, float) - x)
