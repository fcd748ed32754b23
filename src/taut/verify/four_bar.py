"""Four-bar linkage of equal bars, IFToMM benchmark A02 with N = 1.

Three rods of 1 kg and 1 m, two of them upright at first and joined by the third; the joint B0 starts with 1 m/s. The
linkage passes its flat position again and again, where all rods lie on one line and a second motion branches off.
"""

from collections.abc import Iterator

from taut.build import build
from taut.integrate.simulate import simulate
from taut.scenario.builder import Machine
from taut.scenario.scenario import Scenario
from taut.verify.quantity import Quantity, at_most

SOURCE = "IFToMM benchmark A02, converged"
UPRIGHT = 1.5707963267948966


def quantities() -> Iterator[Quantity]:
    """Ten seconds, through the flat position."""
    result = simulate(build(scenario()))
    # the coupler's frame sits at B0
    end = result["body_position"].sel(body="coupler").values[-1]
    yield Quantity("B0 x at 10 s", float(end[0]), 0.478385058, 1e-6, SOURCE, "m")
    yield Quantity("B0 z at 10 s", float(end[2]), 0.878150179, 1e-6, SOURCE, "m")
    change = float(abs(result["energy_balance"].values).max())
    yield at_most("change of energy", change, 1e-6, "nothing drives or brakes it", "J")


def scenario() -> Scenario:
    """The machine in the x-z plane; each rod lies along x of its frame, from its joint on."""
    machine = Machine("four-bar linkage of equal bars", planar=True)
    machine.defaults(joint={"kind": "revolute", "axis": [0, -1, 0]})
    rod = {"mass": 1.0, "com": [0.5, 0, 0], "rod": {"length": 1.0, "axis": [1, 0, 0]}}
    # B0 moves to +x: the upright rods turn from z to x
    machine.body("left", **rod, joint={"position": UPRIGHT, "velocity": -1.0})
    coupler = {"parent": "left", "origin": [1, 0, 0], "position": -UPRIGHT, "velocity": 1.0}
    machine.body("coupler", **rod, joint=coupler)
    machine.body("right", **rod, joint={"origin": [1, 0, 0], "position": UPRIGHT, "velocity": -1.0})
    machine.closure("B1", bodies=["coupler", "right"], points=[[1, 0, 0], [1, 0, 0]])
    machine.run(duration=10, save_every=0.01, tolerance=1e-10)
    return machine.scenario()
