"""Flyball governor, IFToMM benchmark A05: a stiff mechanism that turns freely about the vertical.

Shaft and slider are boxes of 3000 kg/m^3, as are the two rods with their balls; the slider hangs between two-sided
springs and dampers without mass from the middle of each rod.
"""

import numpy as np

from taut.scenario.builder import Machine

DENSITY, TILT, RATE = 3000.0, np.radians(30.0), 2.0 * np.pi
SOURCE = "IFToMM benchmark A05, converged"
# reference: height of the slider [m] by time [s]
HEIGHTS = {0.1: 0.5238364755696014, 0.5: 0.7432494247855251, 1.0: 0.5014209223799204, 2.0: 0.5059092942970012,
           5.0: 0.5355631037216774, 10.0: 0.6196229170612624}  # fmt: skip


def governor() -> Machine:
    """The machine; the lower end of the shaft is the origin."""
    machine = Machine("flyball governor")
    thin, side = 0.01, 0.1
    axis = {"kind": "revolute", "axis": [0, 0, 1], "velocity": RATE}
    machine.body("shaft", mass=DENSITY * thin**2, com=[0, 0, 0.5], box=[thin, thin, 1.0], joint=axis)
    slide = {"kind": "prismatic", "axis": [0, 0, 1], "parent": "shaft", "position": 0.5}
    machine.body("slider", mass=DENSITY * side**3, box=[side, side, side], joint=slide)
    for name, x in (("left", -1.0), ("right", 1.0)):
        hinge = {"kind": "revolute", "axis": [0, x, 0], "parent": "shaft", "origin": [0.05 * x, 0, 1.0],
                 "position": TILT}  # fmt: skip
        machine.body(f"{name} rod", mass=DENSITY * thin**2, com=[0.5 * x, 0, 0], box=[1.0, thin, thin], joint=hinge)
        hold = {"kind": "fixed", "parent": f"{name} rod", "origin": [x, 0, 0]}
        machine.body(f"{name} ball", mass=5.0, joint=hold)
        machine.spring(f"{name} spring", bodies=[f"{name} rod", "slider"], points=[[0.5 * x, 0, 0], [0.05 * x, 0, 0]],
                       stiffness=8e5, damping=4e4, length=0.5)  # fmt: skip
    return machine.run(duration=10, save_every=0.1)
