"""Results, and machines that move now, in the browser: the machine in 3D, time, plots.

Names are imported on first use: the server can listen, and a browser load its page, before results can be read.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from taut.views.player.player import Player
    from taut.views.player.view import show_results, view_results, wait_for_end

PLACES = {"Player": "player", "show_results": "view", "view_results": "view", "wait_for_end": "view"}

__all__ = ["Player", "show_results", "view_results", "wait_for_end"]


def __getattr__(name: str) -> Any:
    """Import a name when it is asked for."""
    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{PLACES[name]}"), name)
