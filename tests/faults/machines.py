"""Machines for planted faults that the library does not have."""

from collections.abc import Callable

from taut.scenario.builder import Machine
from taut.scenario.scenario import Scenario


def thrown_rope() -> Scenario:
    """A load on a rope that slips over two guides, thrown up: slack at once, taut again where it was."""
    machine = Machine("thrown-rope")
    machine.body("load", mass=10.0, joint={"kind": "prismatic", "origin": [3, 0, 0], "velocity": 3.0})
    via = [{"kind": "sheave", "point": [x, 0, 2], "radius": 0.1, "axis": [0, 1, 0], "side": "over", "friction": 0.1}
           for x in (0.5, 2.9)]  # fmt: skip
    machine.cable("rope", kind="spring", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], via=via, axial_stiffness=1e5,
                  axial_damping=2e3, pretension=98.1)  # fmt: skip
    return machine.run(duration=0.8, save_every=0.01, tolerance=1e-7).scenario()


MACHINES: dict[str, Callable[[], Scenario]] = {"thrown-rope": thrown_rope}
