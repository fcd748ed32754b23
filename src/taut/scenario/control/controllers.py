"""Controllers: called at their samples with (t, measurements), they set commands."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_validator

from taut.scenario.base import Name, NonNegative, Number, Positive, Record, fault, note, quantity
from taut.scenario.signals.records import Signal

from .cable_length import ControllerCableLength
from .cable_tension import ControllerCableTension
from .sampled import Sampled

MOST_CODE = 100_000
Code = Annotated[str, Field(min_length=1, max_length=MOST_CODE)]
FunctionName = Annotated[str, Field(max_length=64, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Setting = Annotated[str, Field(min_length=3, max_length=1000)]
References = Annotated[dict[Name, Signal], Field(min_length=1, max_length=1000)]


class ControllerPython(Sampled):
    """A Python function (t, measurements) -> commands: in a file, as code, or handed to taut.simulate."""

    kind: Literal["python"]
    file: Name | str | None = note("Python file, path from the folder of the scenario file; it becomes `code`", None)
    code: Code | None = note("Python source that defines the function", None)
    function: FunctionName = note("name of the function in it", "control")
    commands: tuple[Name, ...] | None = note("commands it sets; none: all", None)

    @model_validator(mode="before")
    @classmethod
    def _read_file(cls, data: Any, info: Any) -> Any:
        if not isinstance(data, Mapping) or data.get("file") is None:
            return data
        if data.get("code"):
            raise fault("cannot go with file: the file is the code", at="code")
        path = Path((info.context or {}).get("folder") or ".") / str(data["file"])
        return {**{key: entry for key, entry in data.items() if key != "file"}, "code": read_code(path)}

    def outputs(self) -> tuple[str, ...] | None:
        """Return the names of the commands that the controller sets; None for all."""
        return self.commands


class ControllerPid(Sampled):
    """u = feedforward + kp e + ki int e + kd de/dt with e = setpoint - measured, held back at the command's limits."""

    kind: Literal["pid"]
    measure: Name = note("measurement it controls, one number")
    rate: Name | None = note("measurement of its rate; none: filtered differences", None)
    command: Name = note("command it sets")
    setpoint: Signal = note("wanted value, in the unit of the measurement", 0.0)
    feedforward: Signal = note("added to the command", 0.0)
    kp: Number = note("gain of the error", 0.0)
    ki: Number = note("gain of its integral", 0.0)
    kd: Number = note("gain of its rate", 0.0)
    filter: NonNegative = quantity("time constant of the filter of differences", "s", 0.0)

    def outputs(self) -> tuple[str, ...]:
        """Return the name of the command that the controller sets."""
        return (self.command,)


class ControllerDrum(Sampled):
    """The servo of a drum: torque for a wanted angle (kp, then as speed), speed (kv, ki) or torque, within limits."""

    kind: Literal["drum"]
    mode: Literal["position", "speed", "torque"] = note(
        "what setpoint is: angle, angular velocity or torque", "position"
    )
    angle: Name | None = note("measurement of the drum's angle, for mode: position", None)
    speed: Name | None = note("measurement of its speed, for the modes position and speed", None)
    command: Name = note("command it sets: the torque of the drum")
    setpoint: Signal = note("wanted angle [rad], speed [rad/s] or torque [N m], positive when it pays out", 0.0)
    feedforward: Signal = quantity("torque added", "N m", 0.0)
    kp: NonNegative = quantity("speed asked for by an error of the angle", "1/s", 0.0)
    kv: NonNegative = quantity("torque by an error of the speed", "N m s/rad", 0.0)
    ki: NonNegative = quantity("torque by its integral", "N m/rad", 0.0)
    limit: Positive | None = quantity("largest torque", "N m", None)
    power: Positive | None = quantity("largest power: it limits the torque at high speed", "W", None)

    @model_validator(mode="after")
    def _check(self) -> Any:
        needed = {"position": ("angle", "speed"), "speed": ("speed",), "torque": ()}[self.mode]
        for key in needed:
            if getattr(self, key) is None:
                raise fault(f"is needed for mode: {self.mode}", at=key)
        if self.power is not None and self.speed is None:
            raise fault("is needed for power", at="speed")
        return self

    def outputs(self) -> tuple[str, ...]:
        """Return the name of the command that the controller sets."""
        return (self.command,)


class ControllerFeedforward(Sampled):
    """Commands that follow signals, sampled."""

    kind: Literal["feedforward"]
    commands: References = note("the signal of each command")

    def outputs(self) -> tuple[str, ...]:
        """Return the names of the commands that the controller sets."""
        return tuple(self.commands)

    def signals(self) -> dict[str, Any]:
        """Return the signals that the controller follows, by their keys."""
        return {f"commands.{name}": signal for name, signal in self.commands.items()}


class ModelBased(Sampled):
    """Keys shared by controllers that know the machine: its state, and the model that they believe in."""

    position: Name = note("measurement of all coordinates of the machine")
    velocity: Name = note("measurement of all their rates")
    assumed: Annotated[tuple[Setting, ...], Field(max_length=100)] = note(
        "what they take the machine for where it is not: settings such as bodies.load.mass=50", ()
    )


class ComputedJoint(Record):
    """One joint that is made to follow its reference."""

    command: Name = note("command that is the joint's force")
    reference: Signal = quantity("wanted coordinate", "m or rad")
    kp: NonNegative = quantity("gain of its error", "1/s^2", 0.0)
    kd: NonNegative = quantity("gain of its rate's error", "1/s", 0.0)
    swing: Annotated[dict[Name, tuple[Number, Number]], Field(max_length=1000)] = note(
        "other joints, by body, that it damps: gains of coordinate and rate in the acceleration wanted", {}
    )


class ControllerComputedTorque(ModelBased):
    """Forces that give joints the accelerations wanted, by the inverse dynamics of the whole machine.

    Joints that are not listed move freely: then it is the collocated partial feedback linearisation. The machine's
    coordinates and rates come from two measurements without body, joint or cable.
    """

    kind: Literal["computed-torque"]
    joints: Annotated[dict[Name, ComputedJoint], Field(min_length=1, max_length=1000)] = note(
        "joints with one coordinate, by body, and what they follow"
    )

    def outputs(self) -> tuple[str, ...]:
        """Return the names of the commands that the controller sets."""
        return tuple(joint.command for joint in self.joints.values())


class LqrJoint(Record):
    """One joint that is driven."""

    command: Name = note("command that is the joint's force")
    reference: Signal = quantity("wanted coordinate", "m or rad", 0.0)
    effort: Positive = quantity("force that weighs as much as a tolerance", "N or N m")


class ControllerLqr(ModelBased):
    """Linear-quadratic regulator of the sampled machine, linearised at rest about its start without dry friction."""

    kind: Literal["lqr"]
    joints: Annotated[dict[Name, LqrJoint], Field(min_length=1, max_length=1000)] = note("joints that are driven")
    tolerances: Annotated[dict[Name, Positive], Field(max_length=1000)] = quantity(
        "deviation of each joint, by body, that weighs as much as an effort", "m or rad", {}
    )
    tolerance: Positive = quantity("deviation of all other joints", "m or rad", 0.1)
    rate: Positive = quantity("a rate weighs as a deviation that is larger by this", "1/s", 1.0)
    update: Positive | None = quantity("linearise again after this time: driven joints may have moved", "s", None)

    def outputs(self) -> tuple[str, ...]:
        """Return the names of the commands that the controller sets."""
        return tuple(joint.command for joint in self.joints.values())


class ControllerEnergy(ModelBased):
    """u = kp (r - x) + (kd + ke E) (r' - x') with E the energy of the swing; passive for any gains."""

    kind: Literal["energy"]
    joint: Name = note("body on the joint that carries the rest")
    command: Name = note("command that is the joint's force")
    reference: Signal = quantity("wanted coordinate", "m or rad", 0.0)
    kp: NonNegative = quantity("gain of the error", "N/m or N m/rad")
    kd: NonNegative = quantity("gain of its rate", "N s/m or N m s/rad")
    ke: NonNegative = quantity("gain of its rate for every joule of swing", "s/m or s/rad", 0.0)

    def outputs(self) -> tuple[str, ...]:
        """Return the name of the command that the controller sets."""
        return (self.command,)


class ControllerQuadcopter(Sampled):
    """Holds a quadcopter at a place or lets it follow a path: acceleration, tilt, moments, thrusts of its rotors."""

    kind: Literal["quadcopter"]
    driver: Name = note("driver of the kind quadcopter")
    position: Name = note("measurement of its position")
    velocity: Name = note("measurement of its velocity")
    orientation: Name = note("measurement of its orientation")
    spin: Name = note("measurement of its angular velocity")
    commands: tuple[Name, Name, Name, Name] = note("commands that are the thrusts of its rotors, in their order")
    setpoint: tuple[Signal, Signal, Signal] = quantity("wanted place, three signals", "m")
    carries: NonNegative = quantity("mass that hangs on it, borne by the thrust", "kg", 0.0)
    bandwidth: Positive = quantity("of the position", "rad/s", 2.0)
    attitude_bandwidth: Positive = quantity("of the attitude", "rad/s", 12.0)
    most_tilt: Positive = quantity("largest tilt asked for", "rad", 0.4)

    def outputs(self) -> tuple[str, ...]:
        """Return the names of the commands that the controller sets."""
        return self.commands

    def signals(self) -> dict[str, Any]:
        """Return the signals that the controller follows, by their keys."""
        return {f"setpoint[{k}]": signal for k, signal in enumerate(self.setpoint)}


def read_code(path: Path) -> str:
    """Return the text of a Python file."""
    remedy = "paths count from the folder of the scenario file"
    if not path.is_file():
        raise fault("does not exist or is not a file", at="file", remedy=remedy)
    if path.stat().st_size > MOST_CODE:
        raise fault(f"is larger than {MOST_CODE} bytes", at="file")
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise fault("cannot be read as UTF-8 text", at="file") from None


def _kind(value: Any) -> Any:
    return value.get("kind") if isinstance(value, Mapping) else getattr(value, "kind", None)


Controller = Annotated[
    Annotated[ControllerPython, Tag("python")]
    | Annotated[ControllerPid, Tag("pid")]
    | Annotated[ControllerDrum, Tag("drum")]
    | Annotated[ControllerFeedforward, Tag("feedforward")]
    | Annotated[ControllerComputedTorque, Tag("computed-torque")]
    | Annotated[ControllerLqr, Tag("lqr")]
    | Annotated[ControllerEnergy, Tag("energy")]
    | Annotated[ControllerQuadcopter, Tag("quadcopter")]
    | Annotated[ControllerCableLength, Tag("cable-length")]
    | Annotated[ControllerCableTension, Tag("cable-tension")],
    Discriminator(_kind),
]
