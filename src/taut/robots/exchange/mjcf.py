"""MJCF: what MuJoCo's compiler makes of a file, as a scenario."""

from pathlib import Path
from typing import Any

from taut.robots.exchange.caspr import Imported
from taut.robots.exchange.mjcf_bodies import Bodies
from taut.robots.exchange.mjcf_rest import add_actuators, closures_of, note_rest
from taut.robots.exchange.mjcf_tendons import Tendons
from taut.robots.exchange.mujoco_file import open_mjcf
from taut.robots.exchange.urdf import printable


def read_mjcf(
    path: str | Path, *, keyframe: str | None = None, stiffness: float | None = None, is_pulling: bool = False
) -> Imported:
    """The scenario that an MJCF file describes.

    Args:
        path: the file; what it includes is found beside it.
        keyframe: where it starts; none: at MuJoCo's reference position.
        stiffness: EA [N] of tendons that have neither a spring nor a limit; none: they are left out.
        is_pulling: whether tendons that also push are taken as cables, which do not.

    Raises:
        ScenarioError: MuJoCo is not there, or the file cannot be read or compiled.
    """
    given = open_mjcf(path, keyframe)
    bodies = Bodies(given)
    tendons = Tendons(bodies, stiffness=stiffness, is_pulling=is_pulling)
    closures = closures_of(bodies)
    signals = add_actuators(bodies, tendons)
    note_rest(bodies)
    is_heavy = not given.model.opt.disableflags & int(given.mujoco.mjtDisableBit.mjDSBL_GRAVITY)
    title = given.model.names.split(b"\0", 1)[0].decode("utf-8", "replace")
    data: dict[str, Any] = {"taut": 1, "name": printable(title), "description": "imported from MJCF",
                            "gravity": given.model.opt.gravity.tolist() if is_heavy else [0.0, 0.0, 0.0]}  # fmt: skip
    groups = {"signals": signals, "bodies": bodies.records, "cables": tendons.cables, "closures": closures,
              "springs": tendons.springs}  # fmt: skip
    return Imported(data | {key: group for key, group in groups.items() if group} | {"run": {"duration": 1.0}},
                    given.left.lines())  # fmt: skip
