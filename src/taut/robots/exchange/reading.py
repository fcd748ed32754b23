"""Machine files of other tools, read by the format that the root element names."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from taut.robots.exchange.caspr import Imported, numbers, one_link, parse, placed, platform_of, read_caspr
from taut.robots.exchange.caspr_motion import read_trajectory
from taut.robots.exchange.labels import bad
from taut.robots.exchange.mjcf import read_mjcf
from taut.robots.exchange.urdf import read_urdf

PLACES = ("joint", "position", "orientation")  # keys of a platform that say where it is at the start
FORMATS = {"bodies_system": "CASPR", "robot": "URDF", "mujoco": "MJCF"}


@dataclass(frozen=True)
class Choices:
    """Choices of a user about a file to be read; each belongs to some of the formats."""

    cable_set: str | None = None  # CASPR: name of the set of cables, of a file with several
    stiffness: float | None = None  # CASPR, MJCF: EA for cables whose stiffness the file does not give [N]
    keyframe: str | None = None  # MJCF: name of the keyframe with the start state
    is_pulling: bool = False  # MJCF: whether tendons that also push are taken as cables all the same
    is_free: bool = False  # URDF: whether the root link moves freely
    trajectories: str | Path | None = None  # CASPR: file of trajectories
    trajectory: str | None = None  # CASPR: name of the trajectory in that file

    def foreign(self, format: str) -> list[str]:
        """Options that were given and mean nothing for a format."""
        owners = {"--cable-set": (self.cable_set, "CASPR"), "--stiffness": (self.stiffness, "CASPR MJCF"),
                  "--keyframe": (self.keyframe, "MJCF"), "--pull-only": (self.is_pulling, "MJCF"),
                  "--free-base": (self.is_free, "URDF"), "--trajectory": (self.trajectory, "CASPR"),
                  "a file of trajectories": (self.trajectories, "CASPR")}  # fmt: skip
        return [option for option, (value, known) in owners.items() if value and format not in known.split()]


def read_machine(file: str | Path, cables: str | Path | None = None, choices: Choices | None = None) -> Imported:
    """The scenario that a file of CASPR (with a second one of its cables), URDF or MJCF describes.

    Raises:
        ScenarioError: files that cannot be read, or a machine that cannot be taken.
    """
    asked, tag = choices or Choices(), parse(file).tag
    format = FORMATS.get(tag, "")
    if not format:
        remedy = "its root must be <robot> (URDF), <mujoco> (MJCF) or <bodies_system> (CASPR)"
        raise bad(file, f"its root <{tag}> is that of no format that is read", remedy)
    for option in asked.foreign(format):
        raise bad(file, f"{option} is not for {format}", "leave it out")
    if (format == "CASPR") != (cables is not None):
        message = "needs CASPR's file of the cables beside it" if cables is None else f"is {format}: one file is enough"
        raise bad(file, message, "taut import BODIES.xml CABLES.xml, or taut import FILE")
    return by_format(format, file, cables, asked)


def by_format(format: str, file: str | Path, cables: Any, asked: Choices) -> Imported:
    """Call the reader of a format."""
    if format == "URDF":
        return read_urdf(file, is_free=asked.is_free)
    if format == "MJCF":
        return read_mjcf(file, keyframe=asked.keyframe, stiffness=asked.stiffness, is_pulling=asked.is_pulling)
    found = read_caspr(file, cables, cable_set=asked.cable_set, stiffness=asked.stiffness)
    if asked.trajectories is None:
        if asked.trajectory is not None:
            raise bad(file, "--trajectory needs a file of trajectories", "taut import BODIES.xml CABLES.xml PATHS.xml")
        return found
    return Imported(found.data | with_motion(file, asked), found.not_taken)


def with_motion(file: str | Path, asked: Choices) -> dict[str, Any]:
    """The scenario with a trajectory of CASPR: motion, duration, and the platform at its start."""
    link = one_link(parse(file), file)
    kind, parent = str(link.find("joint").get("type")), link.find("parent/location")  # type: ignore[union-attr]
    origin = np.zeros(3) if parent is None else numbers(parent, 3, "parent location", file)
    found = read_trajectory(asked.trajectories or "", kind, origin, asked.trajectory)
    platform = {key: value for key, value in platform_of(link, file)[0].items() if key not in PLACES}
    return {"platform": platform | placed(kind, found["start"], origin), "motion": found["motion"],
            "run": {"duration": found["duration"]}}  # fmt: skip
