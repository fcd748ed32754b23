"""Results in the browser: the machine in 3D, time, plots."""

from taut.views.player.player import Player
from taut.views.player.view import view_results, wait_for_end

__all__ = ["Player", "view_results", "wait_for_end"]
