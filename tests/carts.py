"""A cart on a rail with a commanded force, for the tests of controllers."""

from taut.scenario.builder import Machine

MASS = 2.0


def cart(*, duration=1.0, command=None, kind="pid", **controller):
    """A machine whose cart is to be held at 1 m by a sampled controller."""
    machine = Machine("cart")
    machine.signal("push", kind="command", **(command or {}))
    machine.body("cart", mass=MASS, joint={"kind": "prismatic", "axis": [1, 0, 0], "force": "push"})
    machine.measurement("x", joint="cart")
    machine.measurement("v", joint="cart", what="velocity")
    if kind == "pid":
        given = {"measure": "x", "rate": "v", "command": "push", "setpoint": 1.0, "kp": 30.0, "kd": 12.0}
        controller = {**given, **controller}
    machine.controller("hold", kind=kind, **{"period": 0.05, **controller})
    machine.run(duration=duration, save_every=0.01, tolerance=1e-9)
    return machine
