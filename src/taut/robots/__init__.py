"""Questions a cable-robot designer asks of a model: lengths, poses, tensions, workspace, stiffness, interference.

Each is a function of a Model, a Scenario or a Robot that returns a frozen record with ``to_xarray()``. Names are
imported on first use.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from taut.kernels.robots.solver import TensionSolver
    from taut.robots.calibration import Calibration as Calibration
    from taut.robots.calibration import calibrate
    from taut.robots.following import Following as Following
    from taut.robots.following import follow, led_scenario
    from taut.robots.forward import Poses as Poses
    from taut.robots.forward import pose
    from taut.robots.from_model import robot_of
    from taut.robots.indices import Indices as Indices
    from taut.robots.indices import indices
    from taut.robots.interference import Clearances as Clearances
    from taut.robots.interference import interference
    from taut.robots.lengths import CableLengths as CableLengths
    from taut.robots.lengths import lengths
    from taut.robots.massive import MassComparison as MassComparison
    from taut.robots.massive import compare_mass
    from taut.robots.motion import FastestMotion as FastestMotion
    from taut.robots.motion import circle, fastest
    from taut.robots.paths import Path
    from taut.robots.rests.elastic import Rest as Rest
    from taut.robots.rests.elastic import elastic_rest, unstrained_lengths
    from taut.robots.rests.sagging import sagging_lengths, sagging_rest
    from taut.robots.robot import Robot
    from taut.robots.sensitivity import Sensitivity as Sensitivity
    from taut.robots.sensitivity import sensitivity
    from taut.robots.stiffness import Stiffness as Stiffness
    from taut.robots.stiffness import stiffness
    from taut.robots.tensions import Tensions as Tensions
    from taut.robots.tensions import tensions
    from taut.robots.timing import TimedPath as TimedPath
    from taut.robots.timing import fastest_times
    from taut.robots.tracking import PoseTrack as PoseTrack
    from taut.robots.tracking import track
    from taut.robots.workspaces.workspace import Workspace as Workspace
    from taut.robots.workspaces.workspace import workspace

PLACES = {
    "Calibration": "calibration",
    "CableLengths": "lengths",
    "Clearances": "interference",
    "FastestMotion": "motion",
    "Following": "following",
    "Indices": "indices",
    "MassComparison": "massive",
    "Path": "paths",
    "Poses": "forward",
    "PoseTrack": "tracking",
    "Rest": "rests.elastic",
    "Robot": "robot",
    "Sensitivity": "sensitivity",
    "Stiffness": "stiffness",
    "Tensions": "tensions",
    "TimedPath": "timing",
    "Workspace": "workspaces.workspace",
    "calibrate": "calibration",
    "circle": "motion",
    "compare_mass": "massive",
    "elastic_rest": "rests.elastic",
    "fastest": "motion",
    "fastest_times": "timing",
    "follow": "following",
    "indices": "indices",
    "interference": "interference",
    "led_scenario": "following",
    "lengths": "lengths",
    "pose": "forward",
    "robot_of": "from_model",
    "sagging_lengths": "rests.sagging",
    "sagging_rest": "rests.sagging",
    "sensitivity": "sensitivity",
    "stiffness": "stiffness",
    "tensions": "tensions",
    "track": "tracking",
    "unstrained_lengths": "rests.elastic",
    "workspace": "workspaces.workspace",
}

__all__ = ["Path", "Robot", "TensionSolver", "calibrate", "circle", "compare_mass", "elastic_rest", "fastest",
           "fastest_times", "follow", "indices", "interference", "led_scenario", "lengths", "pose", "robot_of",
           "sagging_lengths", "sagging_rest", "sensitivity", "stiffness", "tensions", "track", "unstrained_lengths",
           "workspace"]  # fmt: skip


class Package(ModuleType):
    """taut.robots itself: importing a module does not hide the function of its name, as ``tensions``."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in PLACES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = Package


def __getattr__(name: str) -> Any:
    if name in PLACES:
        return getattr(import_module(f"taut.robots.{PLACES[name]}"), name)
    if name == "TensionSolver":
        return import_module("taut.kernels.robots.solver").TensionSolver
    raise AttributeError(f"module 'taut.robots' has no attribute {name!r}")
