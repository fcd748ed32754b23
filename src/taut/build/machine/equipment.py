"""What controllers know of the hardware they command: winches and their cables, the rotors of a quadcopter."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.scenario.start_pose import start_poses


@dataclass(frozen=True)
class WinchData:
    """A winch, its cable, and where the cable begins and ends at the start."""

    command: str
    anchor: np.ndarray  # anchor in the body's frame [m]
    exit: np.ndarray  # exit in the world [m]
    stiffness: float  # axial stiffness EA [N]
    offset: float  # part of the length that the command does not include [m]


@dataclass(frozen=True)
class Reeving:
    """A body, and the winches of the cables that lead it."""

    orientation: np.ndarray  # rotation from the body to the world
    winches: dict[str, WinchData]  # winches by cable
    mass: float  # mass of the body [kg]
    com: np.ndarray  # centre of mass of the body, in its frame [m]


@dataclass(frozen=True)
class Drums:
    """The drums whose ropes lead one body."""

    orientation: np.ndarray  # wanted rotation from the body to the world
    commands: tuple[str, ...]  # names of the torque commands, in the order of the cables
    arms: dict[str, float]  # torque asked of the drive for a unit tension, by cable [m]
    mass: float  # mass of the body [kg]
    com: np.ndarray  # centre of mass of the body, in its frame [m]
    inertia: np.ndarray  # inertia about the centre of mass, in body axes [kg m^2]


@dataclass(frozen=True)
class Rotors:
    """Rotors and body of a quadcopter."""

    mass: float  # mass of the quadcopter [kg]
    inertia: np.ndarray  # inertia of the quadcopter about its centre of mass [kg m^2]
    points: np.ndarray  # positions of the rotors [m], shape [4, 3]
    moment_ratio: float  # ratio of a rotor's moment to its thrust [m]


def equipment_of(scenario: Any) -> dict[str, Any]:
    """Data of the hardware that each controller commands, by the controller's name."""
    makers = {"cable-length": reeving_of, "cable-tension": drums_of, "quadcopter": rotors_of}
    return {name: makers[spec.kind](scenario, spec) for name, spec in scenario.controllers.items()
            if spec.kind in makers}  # fmt: skip


def rotors_of(scenario: Any, spec: Any) -> Rotors:
    """The quadcopter that a controller flies."""
    driver = scenario.drivers[spec.driver]
    return Rotors(driver.mass, np.array(driver.inertia), driver.rotor_points(), driver.moment_ratio)


def drums_of(scenario: Any, spec: Any) -> Drums:
    """The drums that a controller commands, and the body they lead."""
    cables = {cable.name: cable for cable in scenario.cables}
    drums = {name: scenario.drivers[cables[name].winch].drum for name in spec.commands}
    R = spec.upright.rotation() if spec.upright is not None else start_poses(scenario)[spec.body][0]
    mass, com, inertia = scenario.all_bodies()[spec.body].mass_properties()
    arms = {name: drum.radius / (drum.gearbox.ratio if drum.gearbox is not None else 1.0)
            for name, drum in drums.items()}  # fmt: skip
    return Drums(R, tuple(spec.commands.values()), arms, mass, np.array(com), np.array(inertia))


def reeving_of(scenario: Any, spec: Any) -> Reeving:
    """The winches that a controller commands, and the body they lead."""
    poses, cables = start_poses(scenario), {cable.name: cable for cable in scenario.cables}
    R = spec.orientation.rotation() if spec.orientation is not None else poses[spec.body][0]
    mass, com, _ = scenario.all_bodies()[spec.body].mass_properties()
    winches = {name: winch_of(scenario, cables[name], command, poses) for name, command in spec.commands.items()}
    return Reeving(R, winches, mass, np.array(com))


def winch_of(scenario: Any, cable: Any, command: str, poses: Any) -> WinchData:
    """The winch of a cable at the start."""
    R_exit, x_exit = poses[cable.exit_body or "world"]
    R, x = poses[cable.body]
    anchor, leaves = np.array(cable.anchor), x_exit + R_exit @ np.array(cable.exit)
    initial, driver = scenario.commands()[command].initial, scenario.drivers[cable.winch]
    straight = float(np.linalg.norm(x + R @ anchor - leaves))
    own = cable.length or (initial if driver.length is not None else straight)
    offset = 0.0 if driver.length is not None else own
    return WinchData(command, anchor, leaves, cable.axial_rigidity(own), offset)
