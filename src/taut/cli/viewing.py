"""What `taut view` opens: a player for results, the studio for a scenario."""

from typing import Any

from .inputs import read_input, result_path


def open_page(files: list[str], *, port: int, is_opened: bool, is_dark: bool) -> Any:
    """Open results together, or one scenario; return the player."""
    look: dict[str, Any] = {"port": port, "is_opened": is_opened, "is_dark": is_dark}
    paths = [result_path(file) for file in files]
    if all(path is not None for path in paths):
        from taut.results import open_result
        from taut.views.player import view_results

        return view_results([open_result(file) for file in files], **look)
    return open_scenario(files, look)


def open_scenario(files: list[str], look: dict[str, Any]) -> Any:
    """Open the studio; the scenario is checked before anything is compiled."""
    from taut.scenario.errors import Problem, ScenarioError

    if len(files) > 1:
        problem = Problem("only results are overlaid", source=files[0], remedy="name one scenario, or results only")
        raise ScenarioError([problem])
    given = read_input(files[0], [])

    from taut.studio import open_studio

    from .running import compile_engine

    compile_engine(given.scenario.run.integrator)
    return open_studio(lambda settings: read_input(files[0], settings).scenario, given.stem, **look).player
