"""What a controller that leads a body by lengths knows: winches and drums, and the guides of their cables."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.build.cables.route_tables import LayersSpec, layers_of
from taut.model.laid_tables import LaidGuide
from taut.model.routes import Stop, wound_off
from taut.scenario.cables.ways import is_routed, lay
from taut.scenario.drivers.driver import CARRIERS, DriverTrajectory
from taut.scenario.start_pose import start_poses


@dataclass(frozen=True)
class DrumData:
    """A drum that a controller turns."""

    radius: float  # radius at which the cable leaves the drum at the start; with layers, that of the lowest [m]
    ratio: float  # turns of the motor for one of the drum
    inertia: float  # inertia of drum and motor, about the drum's axis [kg m^2]
    layers: LayersSpec | None  # layers of the rope on it; None: its radius does not change

    def paid(self, x: float) -> tuple[float, float]:
        """Length paid out [m] when the drum has turned by x over ``radius``, and its slope."""
        if self.layers is None:
            return x, 1.0
        row = {"ratio": self.layers.ratio, "offset": self.layers.offset, "layer": 0,
               "layer_count": len(self.layers.changes)}  # fmt: skip
        rows = [dict(zip(("at", "step", "climb"), change, strict=True)) for change in self.layers.changes]
        paid, slope = wound_off(row, rows, x)
        return float(paid), float(slope)


@dataclass(frozen=True)
class WinchData:
    """A winch, and the cable it moves."""

    command: str
    how: str  # what the command is: length, angle or torque
    guides: tuple[LaidGuide, ...]  # guides of the cable from its exit to its anchor; nodes are numbers of ``bodies``
    stiffness: float  # axial stiffness EA [N]
    length: float  # unstrained length at the start [m]
    offset: float  # part of the length that the command does not include [m]
    drum: DrumData | None = None


@dataclass(frozen=True)
class Reeving:
    """The winches that lead one body."""

    bodies: dict[str, Any]  # rotation and origin at the start of the bodies that carry guides, the led one first
    exits: dict[str, Any]  # signals that the exit of a cable follows, by its name among ``bodies``: its place [m]
    orientation: np.ndarray  # rotation from the body to the world
    winches: dict[str, WinchData]  # winches by cable
    mass: float  # mass of the body [kg]
    com: np.ndarray  # centre of mass of the body, in its frame [m]
    inertia: np.ndarray  # inertia about the centre of mass, in body axes [kg m^2]


def reeving_of(scenario: Any, spec: Any, lengths: dict[str, float]) -> Reeving:
    """The winches that a controller commands, and the body they lead."""
    poses, cables = start_poses(scenario), {cable.name: cable for cable in scenario.cables}
    R = spec.orientation.rotation() if spec.orientation is not None else poses[spec.body][0]
    mass, com, inertia = scenario.all_bodies()[spec.body].mass_properties()
    bodies: dict[str, Any] = {spec.body: poses[spec.body]}
    exits: dict[str, Any] = {}
    winches = {}
    for name, command in spec.commands.items():
        cable, driver = cables[name], scenario.drivers.get(cables[name].driver or "")
        carrier = carrier_of(scenario, cable)
        if isinstance(driver, DriverTrajectory) or name in spec.exits:
            # the exit is a body of its own, which follows signals or a measurement
            R_exit, x = poses[carrier]
            point = x + R_exit @ np.array(exit_point(scenario, cable, carrier, poses))
            carrier = exit_name(name)
            if isinstance(driver, DriverTrajectory):
                start = np.array(cable.exit) if driver.is_offset() else np.zeros(3)
                exits[carrier] = start, tuple(driver.signals())
                point = start + [float(scenario.signal(part).evaluate(0.0)[0]) for part in driver.signals()]
            bodies[carrier] = np.eye(3), point
        guides = guides_of(scenario, cable, carrier, {**poses, **bodies}, bodies)
        winches[name] = winch_of(scenario, cable, command, guides, lengths[name])
    return Reeving(bodies, exits, R, winches, mass, np.array(com), np.array(inertia))


def exit_name(cable: str) -> str:
    """Name of a cable's exit among the bodies."""
    return f"{cable} exit"


def carrier_of(scenario: Any, cable: Any) -> str:
    """The body that a cable's exit sits on."""
    if cable.exit_body is not None:
        return cable.exit_body
    return cable.driver if isinstance(scenario.drivers.get(cable.driver or ""), CARRIERS) else "world"


def exit_point(scenario: Any, cable: Any, carrier: str, poses: Any) -> np.ndarray:
    """The exit in the frame of the body that carries it; that on a driver is given in the world."""
    if cable.exit_body is None and carrier != "world":
        R, x = poses[carrier]
        return R.T @ (np.array(cable.exit) - x)
    return np.array(cable.exit)


def guides_of(scenario: Any, cable: Any, carrier: str, poses: Any, bodies: dict[str, Any]) -> tuple[LaidGuide, ...]:
    """Guides of a cable as it is laid at the start, from its exit to its anchor; their bodies are added."""
    R, x = poses[carrier]
    leave = x if carrier in bodies and carrier == exit_name(cable.name) else (
        x + R @ exit_point(scenario, cable, carrier, poses))  # fmt: skip
    if is_routed(cable):
        stops = lay(cable, leave, poses).stops
    else:
        R, x = poses[cable.body]
        stops = [Stop(leave[None]), Stop((x + R @ np.array(cable.anchor))[None])]
    names, found = [carrier, *(guide.body for guide in getattr(cable, "via", ())), cable.body], []
    for stop, name in zip(stops, names, strict=True):
        R, x = bodies.setdefault(name, poses[name])
        axis = None if stop.axis is None else R.T @ stop.axis[0]
        found.append(LaidGuide(list(bodies).index(name), R.T @ (stop.point[0] - x), stop.wheel, axis))
    return tuple(found)


def winch_of(scenario: Any, cable: Any, command: str, guides: tuple[LaidGuide, ...], own: float) -> WinchData:
    """The winch of a cable of an unstrained length at the start."""
    driver = scenario.drivers[cable.winch]
    stiffness, offset = cable.axial_rigidity(own), 0.0 if driver.length is not None else own
    if driver.drum is None:
        return WinchData(command, "length", guides, stiffness, own, offset)
    drum = driver.drum
    ratio, motor = (drum.gearbox.ratio, drum.gearbox.inertia) if drum.gearbox is not None else (1.0, 0.0)
    layers = layers_of(drum.radius, drum.layers) if drum.layers is not None else None
    data = DrumData(drum.radius, ratio, drum.inertia + ratio**2 * motor, layers)
    how = "angle" if drum.motor is not None and drum.motor.angle == command else "torque"
    return WinchData(command, how, guides, stiffness, own, own, data)
