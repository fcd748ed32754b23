"""What `taut view` opens: a player for results, the studio for a scenario."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from .inputs import is_hdf, read_input, result_path


class Look(NamedTuple):
    """Where and how the page is shown."""

    port: int
    is_opened: bool
    is_dark: bool
    announce: Callable[[str], None]  # told the address as soon as a browser can be sent there


def open_page(files: list[str], look: Look) -> Any:
    """Open results together, or one scenario; return the player."""
    paths = [result_path(file) for file in files]
    if any(path is None for path in paths):
        player = open_scenario(files, look)
    elif all(path is not None and is_hdf(path) for path in paths):
        return open_results([Path(file) for file in files], look)
    else:
        from taut.results import open_result
        from taut.views.player import view_results

        # refuse files that are no results before a page is opened
        results = [open_result(file) for file in files]
        player = view_results(results, port=look.port, is_opened=look.is_opened, is_dark=look.is_dark)
    look.announce(player.address)
    return player


def open_results(files: list[Path], look: Look) -> Any:
    """Open the page first: the browser loads it while the results are read."""
    from taut.views.player.server import address, new_server, open_browser, stop_server

    server = new_server("taut", look.port)
    try:
        look.announce(address(server))
        if look.is_opened:
            open_browser(server)
        from taut.results import open_result
        from taut.views.player import show_results

        return show_results(server, [open_result(file) for file in files], is_dark=look.is_dark)
    except BaseException:
        stop_server(server)
        raise


def open_scenario(files: list[str], look: Look) -> Any:
    """Open the studio; the scenario is checked before anything is compiled."""
    from taut.scenario.errors import Problem, ScenarioError

    if len(files) > 1:
        problem = Problem("only results are overlaid", source=files[0], remedy="name one scenario, or results only")
        raise ScenarioError([problem])
    given = read_input(files[0], [])

    from taut.build import build
    from taut.studio import open_studio

    from .running import compile_engine

    compile_engine(build(given.scenario))
    page = {"port": look.port, "is_opened": look.is_opened, "is_dark": look.is_dark}
    return open_studio(lambda settings: read_input(files[0], settings).scenario, given.stem, **page).player
