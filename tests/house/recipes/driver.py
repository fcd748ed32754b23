"""Exit points that bob up and down, as "Add a driver" says."""

EDITS = {
    "scenario/drivers/driver.py": [
        (
            "def _driver_tag(",
            "class DriverBobbing(Record):\n"
            '    """The exit points move up and down by a sine."""\n\n'
            '    kind: Literal["bobbing"]\n'
            '    amplitude: Number = quantity("height of the motion", "m")\n'
            '    frequency: Positive = quantity("cycles per second", "1/s")\n\n'
            "    def signal_keys(self) -> tuple[str, ...]:\n"
            '        """Return the keys that hold signals."""\n'
            "        return ()\n\n"
            "    def signals(self) -> tuple[Any, Any, Any]:\n"
            '        """Return the x, y and z signals of the offset."""\n'
            "        return 0.0, 0.0, SignalSine(amplitude=self.amplitude, frequency=self.frequency)\n\n\n"
            "def _driver_tag(",
        ),
        (
            '    | Annotated[DriverForce, Tag("force")]',
            '    | Annotated[DriverForce, Tag("force")]\n    | Annotated[DriverBobbing, Tag("bobbing")]',
        ),
        ("scenario.base import Record,", "scenario.base import Number, Positive, Record,"),
        ("import Blend, SignalWaypoints,", "import Blend, SignalSine, SignalWaypoints,"),
    ],
    "build/machine/drivers.py": [
        ("import CARRIERS, DriverForce,", "import CARRIERS, DriverBobbing, DriverForce,"),
        (
            "    if isinstance(driver, DriverForce):",
            "    if isinstance(driver, DriverBobbing):\n"
            "        return bobbing_node(context, cable, driver), (0.0, 0.0, 0.0)\n"
            "    if isinstance(driver, DriverForce):",
        ),
        (
            "def force_node(",
            "def bobbing_node(context: Context, cable: Cable, driver: DriverBobbing) -> int:\n"
            '    """A point that follows its signals."""\n'
            "    signals = context.signals(driver.signals())\n"
            '    node = context.tree.add_node(f"{cable.name}.exit", JointKind.DRIVEN, WORLD, signals=signals, '
            "start=cable.exit)\n"
            "    context.placements[node] = np.eye(3), np.array(cable.exit)\n"
            "    return node\n\n\n"
            "def force_node(",
        ),
    ],
}
MISTAKE = ("scenario/drivers/driver.py", "return 0.0, 0.0, SignalSine(", "return 0.0, 0.0, SignalSine(offset=0.001, ")


def check():
    """The exit follows the sine, and pulls the machine up and down; the run passes its audit."""
    import numpy as np

    import taut

    machine = taut.Machine("bobbing").driver("hand", kind="bobbing", amplitude=0.05, frequency=2.0)
    machine.body("load", mass=1.0, joint={"kind": "point"})
    machine.cable("rope", exit=[0, 0, 1], anchor=[0, 0, 0], body="load", driver="hand", kind="spring",
                  axial_stiffness=2000.0)  # fmt: skip
    machine.run(duration=0.2, save_every=0.02, tolerance=1e-6)
    result = taut.simulate(taut.build(machine))
    assert result.ok, result.audit["reasons"]
    exits = result["cable_nodes"].values[:, 0, 0]
    wanted = 1.0 + 0.05 * np.sin(4.0 * np.pi * result.time)
    assert np.abs(exits[:, 2] - wanted).max() < 1e-12 and np.abs(exits[:, :2]).max() == 0.0
    assert np.ptp(result["body_position"].values[:, 0, 2]) > 0.01


if __name__ == "__main__":
    check()
