"""A relay: a command of one size, with the sign of the error, as "Add a controller" says."""

RELAY = '''"""A relay: the command has one size and the sign of the error."""

from collections.abc import Mapping
from typing import Any


class Relay:
    """u = size sign(setpoint - measured)."""

    def __init__(self, spec: Any) -> None:
        """Take the numbers."""
        self.spec = spec

    def __call__(self, time: float, measured: Mapping[str, Any]) -> dict[str, float]:
        """The command at a sample."""
        spec = self.spec
        return {spec.command: spec.size if measured[spec.measure] < spec.setpoint else -spec.size}
'''
EDITS = {
    "scenario/control/controllers.py": [
        (
            "class ControllerFeedforward(Sampled):",
            "class ControllerRelay(Sampled):\n"
            '    """u = size sign(setpoint - measured)."""\n\n'
            '    kind: Literal["relay"]\n'
            '    measure: Name = note("measurement it controls, one number")\n'
            '    command: Name = note("command it sets")\n'
            '    setpoint: Number = note("wanted value, in the unit of the measurement", 0.0)\n'
            '    size: Positive = quantity("of the command", "N or N m")\n\n'
            "    def outputs(self) -> tuple[str, ...]:\n"
            '        """Return the command it sets."""\n'
            "        return (self.command,)\n\n\n"
            "class ControllerFeedforward(Sampled):",
        ),
        (
            '    | Annotated[ControllerPid, Tag("pid")]',
            '    | Annotated[ControllerPid, Tag("pid")]\n    | Annotated[ControllerRelay, Tag("relay")]',
        ),
    ],
    "control/relay.py": RELAY,
    "control/kinds.py": [
        ("from taut.model import Model", "from taut.control.relay import Relay\nfrom taut.model import Model"),
        ('    "lqr": ', '    "relay": lambda model, _, spec: Relay(spec),\n    "lqr": '),
    ],
}
MISTAKE = ("control/relay.py", "measured[spec.measure] < spec.setpoint", "measured[spec.measure] > spec.setpoint")


def check():
    """A cart comes back across its mark, by the parabolas of a constant force between samples."""
    import taut

    machine = taut.Machine("relay").signal("push", kind="command")
    machine.body("cart", mass=2.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "force": "push", "position": 0.05})
    machine.measurement("place", joint="cart", component=0)
    machine.controller("relay", kind="relay", measure="place", command="push", size=4.0, period=0.01)
    machine.run(duration=0.6, save_every=0.01, tolerance=1e-6)
    result = taut.simulate(taut.build(machine))
    assert result.ok, result.audit["reasons"]
    x = result["body_position"].values[:, 0, 0]
    # 0.05 m at 2 m/s^2: the first sample behind the mark is at 0.23 s, and the cart turns after as long again
    assert abs(x[23] - (0.05 - 0.23**2)) < 1e-9 and x[22] > 0.0, x[23]
    assert abs(x.min() - (x[23] - 0.23**2)) < 1e-9, x.min()


if __name__ == "__main__":
    check()
