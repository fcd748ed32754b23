"""Results in the browser, from Python and from notebooks."""

import time
from collections.abc import Sequence
from typing import Any

import xarray as xr

from taut.results.errors import ResultError
from taut.results.result import Result
from taut.views.player.player import Player
from taut.views.player.server import new_server, open_browser, stop_server
from taut.views.robots.shape import check_belongs


def view_results(
    results: Result | Sequence[Result], *, port: int = 0, is_opened: bool = True, is_dark: bool = False,
    workspace: xr.Dataset | None = None,
) -> Player:  # fmt: skip
    """Show results in a page of a local server, and return the player that runs it; ``player.close()`` ends it.

    Args:
        results: One result, or several to overlay: the first solid, the others as ghosts.
        port: Of the server; 0 takes a free one.
        is_opened: Whether to open the page in the user's browser.
        is_dark: Whether the page is dark.
        workspace: Of the robot in the first result, ``taut.robots.workspace(..., surface=True).to_xarray()``: its
            boundary is drawn around the machine.
    """
    shown = [results] if isinstance(results, Result) else list(results)
    check_samples(shown)
    server = new_server("taut", port)
    try:
        player = show_results(server, shown, is_dark=is_dark, workspace=workspace)
    except BaseException:
        stop_server(server)
        raise
    if is_opened:
        open_browser(server)
    return player


def show_results(server: Any, results: Sequence[Result], *, is_dark: bool = False,
                 workspace: xr.Dataset | None = None) -> Player:  # fmt: skip
    """Show results in the page of a server that listens already, perhaps with browsers that wait."""
    check_samples(results)
    if workspace is not None:
        check_belongs(workspace, results[0])
    return Player(server, results, is_dark=is_dark, workspace=workspace)


def check_samples(results: Sequence[Result]) -> None:
    """Refuse results in which there is nothing to see."""
    for result in results:
        if not len(result.time):
            raise ResultError(result.path or "", "has no samples", "repeat the run")


def wait_for_end(player: Player) -> None:
    """Wait until the player is closed, or Ctrl-C."""
    try:
        while not player.is_closed:
            time.sleep(0.2)
    except KeyboardInterrupt:
        pass
    finally:
        player.close()
