"""MJCF files, compiled by MuJoCo.

MuJoCo is the reader: only its compiler knows what defaults, classes, includes, replications, Euler conventions and
inertias from shapes come to. It is an extra. Every file that it would read as XML is looked through first, and refused
if it declares entities.
"""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from taut.robots.exchange.caspr import parse
from taut.robots.exchange.labels import Labels, LeftOut, bad

NEEDS = "install it with: pip install 'taut[mujoco]'"
MOST_INCLUDES = 1000


@dataclass(frozen=True)
class Given:
    """A compiled file, its state at the start, and what has been left out so far."""

    mujoco: Any
    model: Any
    q: np.ndarray
    v: np.ndarray
    path: Path
    labels: Labels
    left: LeftOut

    def name(self, kind: str, i: int) -> str:
        """Name of an object of a kind such as mjOBJ_BODY; without one its kind and number."""
        word = kind.removeprefix("mjOBJ_").lower()
        return self.mujoco.mj_id2name(self.model, getattr(self.mujoco.mjtObj, kind), i) or f"{word} {i}"

    def is_kind(self, family: str, value: Any, kind: str) -> bool:
        """Whether a number of the compiled model means a member of one of MuJoCo's enumerations."""
        return int(value) == int(getattr(getattr(self.mujoco, family), kind))


def open_mjcf(path: str | Path, keyframe: str | None = None) -> Given:
    """Compile a file.

    Args:
        path: the file.
        keyframe: name of the keyframe at which the machine starts; none: its reference position.

    Raises:
        ScenarioError: MuJoCo is not there, or the file cannot be read or compiled.
    """
    file = Path(path)
    root = parse(file)
    if root.tag != "mujoco":
        raise bad(path, f"is no MJCF: its root is <{root.tag}>", "one of <robot> (URDF), <mujoco> (MJCF)")
    check_includes(file)
    mujoco = import_mujoco(path)
    try:
        model = mujoco.MjModel.from_xml_path(str(file))
    except (ValueError, RuntimeError, mujoco.FatalError) as error:
        raise bad(path, f"MuJoCo cannot compile it: {' '.join(str(error).split())}") from None
    q, v = start(mujoco, model, path, keyframe)
    return Given(mujoco, model, q, v, file, Labels(), LeftOut())


def import_mujoco(path: str | Path) -> Any:
    """The package mujoco; without it an error that says how to install it."""
    try:
        return import_module("mujoco")
    except ImportError:
        raise bad(path, "MJCF is read by MuJoCo, which is not installed", NEEDS) from None


def check_includes(file: Path) -> None:
    """Look through every file that is included, as MuJoCo finds them: beside the first one."""
    waiting = [file]
    for found in waiting:
        for element in parse(found).iter():
            other = file.parent / element.get("file", "")
            # a model to attach that is not beside the first file lies in MuJoCo's folder of assets: it is not looked
            # through
            is_read = element.tag == "include" or (element.tag == "model" and other.is_file())
            if is_read and other not in waiting:
                waiting.append(other)
        if len(waiting) > MOST_INCLUDES:
            raise bad(file, f"includes more than {MOST_INCLUDES} files")


def start(mujoco: Any, model: Any, path: str | Path, keyframe: str | None) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and rates at the start."""
    if keyframe is None:
        return np.array(model.qpos0), np.zeros(model.nv)
    names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_KEY, k) or str(k) for k in range(model.nkey)]
    if keyframe not in names:
        raise bad(path, f"has no keyframe {keyframe!r}", f"one of {', '.join(names) or 'none'}")
    k = names.index(keyframe)
    return np.array(model.key_qpos[k]), np.array(model.key_qvel[k])
