"""Small machines with commands, for the tests of taut.loop."""

import taut


def slider(**command):
    """A mass on a rail that a command pushes."""
    machine = taut.Machine("slider", gravity=[0, 0, 0])
    machine.signal("push", **{"kind": "command", "acts": "value", "limits": [-3, 3], **command})
    machine.body("mass", mass=2.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "force": "push"})
    machine.measurement("place", joint="mass", noise=0.1)
    return machine.run(duration=1.0).scenario()


def carried():
    """A carriage that moves as a signal says, and a mass that a command pushes; the run is short."""
    machine = taut.Machine("carriage", gravity=[0, 0, 0])
    machine.signal("sway", kind="expression", expression="0.3*sin(3*t)")
    machine.signal("push", kind="command", acts="value", limits=[-3, 3])
    machine.body("carriage", mass=1.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "motion": "sway"})
    machine.body("mass", mass=2.0, joint={"kind": "prismatic", "axis": [0, 1, 0], "force": "push"})
    machine.measurement("place", body="carriage", component="x")
    return machine.run(duration=0.5).scenario()
