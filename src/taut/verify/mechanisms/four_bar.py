"""N-four-bar linkage of equal bars, IFToMM benchmark A02.

N + 1 upright rods of 1 kg and 1 m side by side, their ends joined by N more; the joint B0 starts with 1 m/s. The
linkage passes its flat position again and again, where all rods lie on one line and N other motions branch off.
"""

from taut.scenario.builder import Machine

UPRIGHT = 1.5707963267948966
SOURCE = "IFToMM benchmark A02, converged"
# reference: x and z of B0 at 10 s, by the number N of loops
ENDS = {
    1: (0.4783850577520099, 0.8781501787960908),
    2: (0.32845811153374377, 0.9445185381810601),
    10: (0.20435356098397234, 0.9788971458295146),
}


def four_bars(count: int) -> Machine:
    """The machine in the x-z plane; each rod lies along x of its frame, from its joint on; coupler 1 begins at B0."""
    machine = Machine(f"{count} four-bar linkages of equal bars", planar=True)
    machine.defaults(joint={"kind": "revolute", "axis": [0, -1, 0]})
    rod = {"mass": 1.0, "com": [0.5, 0, 0], "rod": {"length": 1.0, "axis": [1, 0, 0]}}
    # the upright rods turn from z to x, so that B0 moves in the direction of +x
    for k in range(count + 1):
        machine.body(f"rod {k}", **rod, joint={"origin": [k, 0, 0], "position": UPRIGHT, "velocity": -1.0})
    for k in range(1, count + 1):
        joint = {"parent": f"rod {k - 1}", "origin": [1, 0, 0], "position": -UPRIGHT, "velocity": 1.0}
        machine.body(f"coupler {k}", **rod, joint=joint)
        machine.closure(f"B{k}", bodies=[f"coupler {k}", f"rod {k}"], points=[[1, 0, 0], [1, 0, 0]])
    return machine.run(duration=10, save_every=0.01)
