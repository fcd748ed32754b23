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
    announce: Callable[[str], None]  # called with the address as soon as a browser can open it


def open_page(files: list[str], look: Look, workspace: Path | None = None) -> Any:
    """Open results together, a workspace, or one scenario; return the player."""
    space = None if workspace is None else read_workspace(workspace)
    paths = [result_path(file) for file in files]
    if any(path is None for path in paths):
        player = open_scenario(files, look, space)
    elif all(path is not None and is_hdf(path) for path in paths):
        return open_results([Path(file) for file in files], look, space)
    else:
        from taut.results.result import open_result
        from taut.views.player import view_results

        # refuse files that are no results before a page is opened in the browser
        results = [open_result(file) for file in files]
        page = {"port": look.port, "is_opened": look.is_opened, "is_dark": look.is_dark}
        player = view_results(results, workspace=space, **page)
    look.announce(player.address)
    return player


def read_workspace(path: Path) -> Any:
    """A workspace that has a surface; refused before a page is opened if it cannot be shown."""
    from taut.views.robots.shape import open_workspace, read_shape

    space = open_workspace(path)
    read_shape(space)
    return space


def check_robot(workspace: Any, scenario: Any) -> None:
    """Refuse the workspace of another robot before the engine is compiled."""
    import xarray as xr

    from taut.results.result import Result
    from taut.scenario.io.writing import dumps
    from taut.views.robots.shape import check_belongs

    check_belongs(workspace, Result(xr.Dataset(attrs={"title": scenario.name, "scenario": dumps(scenario)})))


def open_results(files: list[Path], look: Look, workspace: Any = None) -> Any:
    """Open the page first: the browser loads it while the results are read."""
    from taut.views.player.server import address, new_server, open_browser, stop_server

    server = new_server("taut", look.port)
    try:
        look.announce(address(server))
        if look.is_opened:
            open_browser(server)
        from taut.results.record import WORKSPACE_FORMAT
        from taut.results.result import Result, open_result
        from taut.results.store import format_of
        from taut.views.player import show_results

        if len(files) == 1 and workspace is None and format_of(files[0]) == WORKSPACE_FORMAT:
            workspace = read_workspace(files[0])
            results = [Result(workspace, files[0])]
        else:
            results = [open_result(file) for file in files]
        return show_results(server, results, is_dark=look.is_dark, workspace=workspace)
    except BaseException:
        stop_server(server)
        raise


def open_scenario(files: list[str], look: Look, workspace: Any = None) -> Any:
    """Open the studio; the scenario is checked before anything is compiled."""
    from taut.scenario.errors import Problem, ScenarioError

    if len(files) > 1:
        problem = Problem("only results are overlaid", source=files[0], remedy="name one scenario, or results only")
        raise ScenarioError([problem])
    given = read_input(files[0], [])
    if workspace is not None:
        check_robot(workspace, given.scenario)

    from taut.build import build
    from taut.studio import open_studio

    from .running import compile_engine

    compile_engine(build(given.scenario))
    page = {"port": look.port, "is_opened": look.is_opened, "is_dark": look.is_dark, "workspace": workspace}
    return open_studio(lambda settings: read_input(files[0], settings).scenario, given.stem, **page).player
