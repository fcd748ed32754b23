"""Andrews' squeezer: seven bodies, three loops and a spring, driven for 0.03 s [IVP test set]."""

from taut.scenario.builder import Machine

# data of the squeezing mechanism: masses [kg] and inertias [kg m^2] of K1 to K7, lengths [m]
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
A, B, C = [-0.06934, 0, -0.00227], [-0.03635, 0, 0.03273], [0.014, 0, 0.072]
STARTS = (-0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550,
          -0.222668390165885885, 1.23054744454982119)  # fmt: skip
ENDS = {"K1": 15.81077119629904, "K2": -15.75637105984298, "K3": 0.04082224013073101, "K4": -0.5347301163226948,
        "K5": 0.5244099658805304, "K6": 0.5347301163226948, "K7": 1.048080741042263}  # fmt: skip
SOURCE = "IVP test set, Andrews' squeezer at 0.03 s"


def squeezer() -> Machine:
    """Andrews' squeezer in the x-z plane: seven bodies, one spring, three loops, no weight."""
    machine = Machine("Andrews' squeezer", planar=True, gravity=[0, 0, 0])
    coms = ([0.00092, 0, 0], [-0.0115, 0, 0], [0.01043, 0, -0.01874], [0, 0, -(0.02 - 0.01421)], [0.02308, 0, 0.00916],
            [0.02 - 0.01421, 0, 0], [0.00449, 0, -0.01228])  # fmt: skip
    parents = {1: ("K1", [0.007, 0, 0]), 3: ("K5", [0.04, 0, 0]), 5: ("K7", [0, 0, -0.04])}
    origins = {0: [0, 0, 0], 2: B, 4: A, 6: A}
    for k in (0, 1, 2, 4, 3, 6, 5):
        parent, origin = parents.get(k, ("world", origins.get(k)))
        joint = {"kind": "revolute", "parent": parent, "origin": origin, "position": STARTS[k]}
        if k == 0:
            joint["force"] = 0.033
        machine.body(f"K{k + 1}", mass=MASSES[k], inertia=INERTIAS[k], com=coms[k], joint=joint)
    ends = {"K3": [0, 0, -0.035], "K4": [0, 0, -0.02], "K6": [0.02, 0, 0]}
    for body, point in ends.items():
        machine.closure(f"E-{body}", bodies=["K2", body], points=[[-0.028, 0, 0], point])
    machine.spring("spring", bodies=["K3", "world"], points=[[0.02, 0, -0.018], C], stiffness=4530.0, length=0.07785)
    return machine.run(duration=0.03, save_every=0.003)
