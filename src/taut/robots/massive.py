"""When cables may count as massless: natural frequencies of the same robot on cables with mass.

The platform is held at a pose by sagging cables whose forces are near to the tensions of the massless robot
(``rests/sagging.py``); the cables become chains of elements, and `taut modes` linearises the machine there. A mode phi
of it has the share
    e_k = (phi_P^T M_P phi_k)^2 / ((phi^T M phi) (phi_k^T M_P phi_k))                                              (1)
of its energy in the platform's massless mode phi_k, M_P the platform's mass matrix; the mode with the largest share is
the one that became of it. Masses of cables lower its frequency, and near a frequency of a cable itself,
    f_n = n/(2 l) sqrt(T/mu),                                                                                     (2)
platform and cable swing together, so that no mode has the whole share. Behind pulleys and holes the rope has no mass.
"""

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from taut.analyses.modes import linearise, modes
from taut.build import build
from taut.kernels.robots.columns import FREE
from taut.robots.datasets import dataset
from taut.robots.from_model import Machine, robot_of
from taut.robots.poses import reach_poses
from taut.robots.problems import refusal
from taut.robots.rests.sagging import sagging_lengths
from taut.robots.robot import Robot
from taut.robots.stiffness import Stiffness, stiffness
from taut.scenario.io.reading import loads

ELEMENTS = 8
# massless cables are enough if a frequency changes by at most NEAR and the share of Eq. (1) is at least WHOLE
NEAR, WHOLE = 0.05, 0.5
STEEL = 7850.0  # density of steel, for the radius with which the cables are drawn [kg/m^3]
LEAST = 1e-9  # inertia of a platform that has none, relative to its mass times the robot's size squared


@dataclass(frozen=True)
class MassComparison:
    """Natural frequencies without and with the mass of the cables."""

    name: str
    cables: tuple[str, ...]
    coordinates: tuple[str, ...]
    massless: Stiffness  # stiffness and frequencies of the robot on cables without mass
    mass_per_length: np.ndarray  # mass per length of the cables [kg/m], shape [n_cables]
    elements: int  # number of elements per cable
    mass_share: float  # mass of all cables over that of the platform
    frequencies: np.ndarray  # natural frequencies of the massless robot [Hz], shape [mode]
    # frequency, with the mass of the cables, of the mode that corresponds to each massless one [Hz], shape [mode]
    with_mass: np.ndarray
    shares: np.ndarray  # share of each mode, Eq. (1) [mode]
    cable_frequencies: np.ndarray  # first natural frequency of every cable, Eq. (2) [Hz], shape [n_cables]
    all_frequencies: np.ndarray  # frequencies of the machine with mass, to somewhat above those compared [Hz]

    @property
    def changes(self) -> np.ndarray:
        """Relative change of every frequency."""
        return self.with_mass / self.frequencies - 1.0

    @property
    def is_good(self) -> np.ndarray:
        """Whether the massless model is good enough, by mode."""
        return (np.abs(self.changes) <= NEAR) & (self.shares >= WHOLE)

    def to_xarray(self) -> xr.Dataset:
        """The record as an xarray dataset with units."""
        found = {
            "frequency": (("mode",), self.frequencies, "Hz", "natural frequency, cables without mass"),
            "frequency_with_mass": (("mode",), self.with_mass, "Hz", "natural frequency, cables with mass"),
            "share": (("mode",), self.shares, "1", "share of energy in the massless mode"),
            "is_good": (("mode",), self.is_good, "1", "whether the massless model is good enough"),
            "cable_frequency": (("cable",), self.cable_frequencies, "Hz", "first frequency of the cable itself"),
        }
        return dataset(f"mass of the cables: {self.name}", {"cable": self.cables}, found, mass_share=self.mass_share)


def compare_mass(machine: Machine, pose: Any = None, *, mass_per_length: Any = None, elements: int = ELEMENTS,
                 method: str | None = None, **options: Any) -> MassComparison:  # fmt: skip
    """Natural frequencies with and without the mass of the cables, at one pose and nearly the same tensions.

    Args:
        machine: Model, Scenario or Robot; its cables need an axial stiffness.
        pose: none: at the start.
        mass_per_length: of the cables [kg/m], a number or one per cable; none: their own.
        elements: of every cable.
        method: of ``stiffness``.
        options: of ``robot_of``.

    Raises:
        ScenarioError: cables without mass, or a pose that they do not hold.
    """
    robot = robot_of(machine, **options)
    if robot.has_ropes:
        remedy = "write the cables as mrfe and ask taut modes, or take straight ones"
        raise refusal("robots with ropes over sheaves are not compared", at="via", remedy=remedy)
    if mass_per_length is not None:
        robot = replace(robot, mass_per_length=mass_per_length)
    if not np.all(np.isfinite(robot.mass_per_length) & (robot.mass_per_length > 0.0)):
        remedy = "give a positive mass_per_length [kg/m] (--cable-mass)"
        raise refusal("the mass of the cables is not known", at="mass_per_length", remedy=remedy)
    own = robot.start if pose is None else np.asarray(pose, float)
    reached = reach_poses(robot, own)
    light = stiffness(robot, own, method=method)
    if not light.is_stable:
        raise refusal("the platform does not rest there: it is unstable", at="pose", remedy="take another pose")
    held = sagging_lengths(robot, own, goal=light.tensions)
    model = build(twin(robot, own, held.lengths, elements))
    shares, found = matched(model, robot, light, elements)
    best = shares.argmax(axis=0)
    free = reached.cables[0, :, FREE]
    mu = np.array(robot.mass_per_length)
    top = float(max(found[best].max(), light.frequencies.max()))
    return MassComparison(
        name=robot.name,
        cables=robot.cables,
        coordinates=robot.coordinates,
        massless=light,
        mass_per_length=mu,
        elements=elements,
        mass_share=float(np.sum(mu * free)) / robot.mass,
        frequencies=light.frequencies,
        with_mass=found[best],
        shares=shares.max(axis=0),
        cable_frequencies=np.sqrt(light.tensions / mu) / (2.0 * free),
        all_frequencies=found[(found > 0.0) & (found <= 1.5 * top)],
    )


def twin(robot: Robot, pose: np.ndarray, lengths: np.ndarray, elements: int) -> Any:
    """The robot as a scenario on cables of elements with these unstrained lengths."""
    full = robot.full_poses(pose)[0]
    size = robot.mass * float(np.ptp(robot.exits, axis=0).max()) ** 2
    inertia = robot.inertia if np.linalg.eigvalsh(robot.inertia)[0] > 0.0 else LEAST * size * np.eye(3)
    cables = [
        {"name": name, "exit": list(robot.exits[i]), "anchor": list(robot.anchors[i]), "length": float(lengths[i]),
         "elements": elements, "radius": float(np.sqrt(robot.mass_per_length[i] / (np.pi * STEEL))),
         "mass_per_length": float(robot.mass_per_length[i]), "axial_stiffness": float(robot.stiffness[i]),
         **outlet(robot, i)}
        for i, name in enumerate(robot.cables)
    ]  # fmt: skip
    text = {"taut": 1, "name": f"{robot.name}, cables with mass", "gravity": list(robot.gravity), "cables": cables,
            "platform": {"mass": robot.mass, "com": list(robot.com), "inertia": inertia.tolist(),
                         "position": list(full[:3]), "orientation": {"euler": list(full[3:])}},
            "initial": {"solve": "equilibrium"}, "run": {"duration": 1}}  # fmt: skip
    return loads(json.dumps(text))


def outlet(robot: Robot, i: int) -> dict[str, Any]:
    """Pulley of a cable, or a hole behind which the rest of the rope lies."""
    if robot.radii[i] > 0.0:
        return {"pulley": {"radius": float(robot.radii[i]), "axis": list(robot.axes[i])}}
    if robot.leads[i] == 0.0:
        return {}
    hole = robot.exits[i]
    behind = [float(hole[0]), float(hole[1]), float(hole[2] + robot.leads[i])]
    return {"exit": behind, "via": [{"kind": "pinhole", "point": hole.tolist()}]}


def matched(model: Any, robot: Robot, light: Stiffness, elements: int) -> tuple[np.ndarray, np.ndarray]:
    """Shares of Eq. (1) of all modes of the machine [mode, massless mode], and their frequencies."""
    found = modes(model, count=3 * len(robot.cables) * elements + 6)
    M = linearise(model, found.data).M
    node = model.tables.nodes[model.names.bodies["platform"]]
    columns = int(node.column) + robot.rows
    along = found.shapes[:, columns] @ light.mass @ light.shapes.T
    energies = np.einsum("ki,ij,kj->k", found.shapes, M, found.shapes)
    own = np.einsum("ki,ij,kj->k", light.shapes, light.mass, light.shapes)
    return along**2 / (energies[:, None] * own), found.frequencies
