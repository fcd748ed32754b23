"""The scenario: everything a user says about one machine and one run."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, PrivateAttr, model_validator

from taut.scenario.cables.cable import Cable
from taut.scenario.cables.overload import overload, overload_failure
from taut.scenario.control.command import SignalCommand
from taut.scenario.control.controllers import Controller
from taut.scenario.control.measurements import Measurement
from taut.scenario.cranes.bodies import crane_closures, crane_failures, crane_parts
from taut.scenario.cranes.crane import Crane
from taut.scenario.drivers.driver import CARRIERS, Driver
from taut.scenario.drivers.parts import Parts
from taut.scenario.io.defaults import merge_defaults
from taut.scenario.io.robot_parts import with_robot
from taut.scenario.io.source import Source, join_path, split_path
from taut.scenario.records.body import Body
from taut.scenario.records.closure import Closure
from taut.scenario.records.failure import Failure
from taut.scenario.records.force import Force, Spring
from taut.scenario.records.ground import Event, Ground
from taut.scenario.records.motion import Motion
from taut.scenario.records.robot import Robot
from taut.scenario.records.run import Initial, Run
from taut.scenario.signals.records import Signal

from .base import Flag, Name, Record, Vec3, note, quantity
from .errors import NO_VALUE, Problem, ScenarioError
from .planar import as_planar

SignalName = Annotated[str, Field(max_length=64, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
GROUPS = ("signals", "bodies", "cables", "closures", "springs", "drivers", "forces", "events", "measurements",
          "controllers", "failures")  # fmt: skip
MOST = Field(max_length=10_000)
# texts without control characters and unusual line ends, which YAML does not preserve
PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]*$"
PRINTABLE_LINES = r"^[^\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]*$"


class Scenario(Record):
    """One machine and one run, SI units, radians, z up."""

    taut: Literal[1] = note("version of the format")
    name: Annotated[str, Field(min_length=1, max_length=200, pattern=PRINTABLE)] = note("name of the scenario")
    description: Annotated[str, Field(pattern=PRINTABLE_LINES)] = note("what it is, for people", "")
    gravity: Vec3 = quantity("acceleration of gravity", "m/s^2", (0.0, 0.0, -9.81))
    planar: Flag = note("the machine lives in the x-z plane; positive angle from x to z", False)
    signals: Annotated[dict[SignalName, Signal], MOST] = note(
        "named signals, usable by name wherever a signal is asked for", {}
    )
    platform: Body | None = note("shorthand for the body named platform", None)
    crane: Crane | None = note("shorthand for the bodies and closures of a crane", None)
    robot: Robot | None = note("shorthand for the cables, winches, drums and servos of a cable robot", None)
    bodies: Annotated[dict[Name, Body], MOST] = note("rigid bodies by name", {})
    cables: Annotated[tuple[Cable, ...], MOST] = note("cables", ())
    closures: Annotated[tuple[Closure, ...], MOST] = note("loop closures", ())
    springs: Annotated[tuple[Spring, ...], MOST] = note("springs and dampers between points of two bodies", ())
    drivers: Annotated[dict[Name, Driver], MOST] = note("drivers by name", {})
    forces: Annotated[tuple[Force, ...], MOST] = note("forces and torques on bodies", ())
    ground: Ground | None = note("ground under a body", None)
    events: Annotated[tuple[Event, ...], MOST] = note("moments to find during the run", ())
    measurements: Annotated[dict[Name, Measurement], MOST] = note("what controllers are told, by name", {})
    controllers: Annotated[dict[Name, Controller], MOST] = note("sampled controllers by name", {})
    motion: Motion | None = note("motion a body is to make, for inverse dynamics", None)
    failures: Annotated[tuple[Failure, ...], MOST] = note("what fails during the run", ())
    initial: Initial = note("how the start state is found", Initial())
    run: Run = note("settings of the run", Run())

    _source: Source = PrivateAttr(default_factory=Source)
    # what was last put together from which groups: scenarios are asked for their bodies many times
    _crane: tuple[Crane | None, list[Any]] = PrivateAttr(default=(None, []))
    _bodies: tuple[tuple[Any, ...], dict[str, Body]] = PrivateAttr(default=((), {}))

    @model_validator(mode="before")
    @classmethod
    def _merge(cls, data: Any) -> Any:
        data = merge_defaults(data)[0]
        if not isinstance(data, Mapping):
            return data
        data = with_robot(data)
        # an empty group may be written as null: treat it as not given
        return {key: value for key, value in data.items() if value is not None or key not in GROUPS}

    def __eq__(self, other: object) -> bool:
        """Two scenarios are equal when they say the same, wherever they were read from."""
        return isinstance(other, Scenario) and self.__dict__ == other.__dict__

    def all_bodies(self) -> dict[str, Body]:
        """Return every body by name, the platform first; in a planar machine free bodies become planar ones."""
        groups = (self.planar, self.platform, self.crane, self.cables, dict(self.bodies), dict(self.drivers))
        # entries that are the same objects are equal without a look inside
        if groups != self._bodies[0]:
            bodies = {"platform": self.platform, **self.bodies} if self.platform else dict(self.bodies)
            bodies = {**{name: body for name, body, _ in self.crane_parts()}, **bodies}
            for parts in self.driver_parts().values():
                bodies |= parts.bodies
            planar = {name: as_planar(body) for name, body in bodies.items()} if self.planar else bodies
            self._bodies = (groups, planar)
        return dict(self._bodies[1])

    def driver_parts(self) -> dict[str, Parts]:
        """Return what the drivers are made of that carry exits, by the driver's name."""
        places = {cable.driver: cable.exit for cable in reversed(self.cables) if cable.driver is not None}
        return {name: driver.parts(name, places.get(name, (0.0, 0.0, 0.0)))
                for name, driver in self.drivers.items() if isinstance(driver, CARRIERS)}  # fmt: skip

    def all_forces(self) -> tuple[Force, ...]:
        """Return every force: the user's, and those of drivers such as rotors."""
        return (*self.forces, *(force for parts in self.driver_parts().values() for force in parts.forces))

    def signal(self, spec: Any) -> Any:
        """Return the curve of a signal: `evaluate(t)`, `breakpoints(t_end)`, `terms(t_end)`.

        Args:
            spec: a number, an expression, the name of a signal or a signal record, as found in the records.
        """
        from taut.scenario.signals.curves import curve_of

        return curve_of(spec, self.signals)

    def crane_parts(self) -> list[Any]:
        """Return name, body and key of everything that stands for the crane."""
        if self.crane is not self._crane[0]:
            self._crane = (self.crane, list(crane_parts(self.crane)) if self.crane is not None else [])
        return self._crane[1]

    def all_closures(self) -> tuple[Closure, ...]:
        """Return every closure, those of the crane last."""
        return self.closures + (crane_closures(self.crane) if self.crane is not None else ())

    def all_failures(self) -> tuple[Failure, ...]:
        """Return every failure, those of overloaded ropes, and the release of a crane's payload last."""
        broken = tuple(overload_failure(cable) for cable in self.cables if getattr(cable, "breaking_load", None))
        return self.failures + broken + (crane_failures(self.crane) if self.crane is not None else ())

    def cut_place(self, cable: str) -> float:
        """Where a cable is to be cut, as a share of its length at the start; at its anchor if nothing is said."""
        return next((own.place for own in self.failures if (own.kind, own.target) == ("cut", cable)), 1.0)

    def all_events(self) -> tuple[Event, ...]:
        """Return every event, those at which ropes are overloaded last."""
        return self.events + tuple(overload(cable) for cable in self.cables if getattr(cable, "breaking_load", None))

    def commands(self) -> dict[str, SignalCommand]:
        """Return the signals that controllers set, in the order of their rows."""
        return {name: spec for name, spec in self.signals.items() if isinstance(spec, SignalCommand)}

    def body_path(self, name: str) -> str:
        """Return the key path of a body, for messages."""
        if name == "platform" and self.platform:
            return name
        if name in self.bodies:
            return f"bodies.{name}"
        part = next((path for own, _, path in self.crane_parts() if own == name), None)
        owner = next((driver for driver in self.drivers if name == driver or name.startswith(f"{driver} ")), None)
        return f"crane.{part}" if part is not None else f"drivers.{owner}" if owner else f"bodies.{name}"

    @property
    def source(self) -> Source:
        """File and lines from which the scenario's parts were read."""
        return self._source

    def problem(self, path: str, message: str, *, value: Any = NO_VALUE, remedy: str = "") -> Problem:
        """Return a problem at a key path such as `cables[2].length`, with the file and line it came from."""
        source, line = self._source.where(path)
        written = join_path(self._source.original(split_path(path)))
        return Problem(message, written, value, remedy, source, line)

    def error(self, path: str, message: str, *, value: Any = NO_VALUE, remedy: str = "") -> ScenarioError:
        """Return an exception for one problem at a key path, ready to raise."""
        return ScenarioError([self.problem(path, message, value=value, remedy=remedy)])

    def warnings(self) -> list[str]:
        """Return what looks odd but is allowed."""
        from taut.scenario.checks.oddities import find_warnings

        return find_warnings(self)
