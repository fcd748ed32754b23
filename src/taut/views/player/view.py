"""Results in the browser, from Python and from notebooks."""

import contextlib
import time
import webbrowser
from collections.abc import Sequence

from taut.results.errors import ResultError
from taut.results.result import Result
from taut.views.player.player import Player
from taut.views.player.server import new_server, stop_server


def view_results(
    results: Result | Sequence[Result], *, port: int = 0, is_opened: bool = True, is_dark: bool = False
) -> Player:
    """Show results in a page of a local server, and return the player that runs it; ``player.close()`` ends it.

    Args:
        results: One result, or several to overlay: the first solid, the others as ghosts.
        port: Of the server; 0 takes a free one.
        is_opened: Whether to open the page in the user's browser.
        is_dark: Whether the page is dark.
    """
    shown = [results] if isinstance(results, Result) else list(results)
    for result in shown:
        if not len(result.time):
            raise ResultError(result.path or "", "has no samples", "repeat the run")
    server = new_server(shown[0].title or "taut", port)
    try:
        player = Player(server, shown, is_dark=is_dark)
    except BaseException:
        stop_server(server)
        raise
    if is_opened:
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(player.address)
    return player


def wait_for_end(player: Player) -> None:
    """Wait until the player is closed, or Ctrl-C."""
    try:
        while not player.is_closed:
            time.sleep(0.2)
    except KeyboardInterrupt:
        pass
    finally:
        player.close()
