"""What controllers know of the hardware they command: winches and drums of cables, the rotors of a quadcopter."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.build.machine.reeving import reeving_of
from taut.scenario.start_pose import start_poses


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


def equipment_of(scenario: Any, lengths: dict[str, float]) -> dict[str, Any]:
    """Data of the hardware that each controller commands, by the controller's name.

    Args:
        scenario: the machine.
        lengths: unstrained lengths of the cables at the start [m], as they are built.
    """
    makers = {
        "cable-length": lambda scenario, spec: reeving_of(scenario, spec, lengths),
        "cable-tension": drums_of,
        "quadcopter": rotors_of,
    }
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
