"""The simulation inside somebody else's program: plants to step, linear models, environments, servers, FMUs.

Names are imported on first use; ``gym``, ``serve`` and ``fmu`` are modules, whose libraries are optional.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from taut.loop import fmu, gym, serve
    from taut.loop.linear.linearize import linearize as linearize
    from taut.loop.linear.model import LinearModel as LinearModel
    from taut.loop.linear.model import load_linear as load_linear
    from taut.loop.plant import Plant as Plant
    from taut.loop.plant import Snapshot as Snapshot
    from taut.loop.specs import Spec as Spec

PLACES = {
    "LinearModel": "taut.loop.linear.model",
    "Plant": "taut.loop.plant",
    "Snapshot": "taut.loop.plant",
    "Spec": "taut.loop.specs",
    "load_linear": "taut.loop.linear.model",
    "linearize": "taut.loop.linear.linearize",
}
MODULES = ("fmu", "gym", "serve")

__all__ = ["LinearModel", "Plant", "Snapshot", "Spec", "fmu", "gym", "linearize", "load_linear", "serve"]


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return import_module(f"taut.loop.{name}")
    if name in PLACES:
        return getattr(import_module(PLACES[name]), name)
    raise AttributeError(f"module 'taut.loop' has no attribute {name!r}")
