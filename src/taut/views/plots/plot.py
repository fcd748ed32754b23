"""Figures of one result, or of several side by side, into a folder."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from taut.results.errors import ResultError, from_os_error
from taut.results.result import Result
from taut.views.plots.actuator import actuator_sheets, singularity_sheets
from taut.views.plots.constraint import constraint_sheets
from taut.views.plots.deviation import deviation_sheets
from taut.views.plots.draw import draw_sheets, save_figure
from taut.views.plots.drive import control_sheets, drive_sheets
from taut.views.plots.element import element_sheets, slack_sheets
from taut.views.plots.energy import energy_sheets
from taut.views.plots.force import force_sheets
from taut.views.plots.motion import body_sheets, motion_sheets
from taut.views.plots.rates import acceleration_sheets, velocity_sheets
from taut.views.plots.sheet import Sheet
from taut.views.plots.states import joint_sheets, multiplier_sheets
from taut.views.plots.step import step_sheets
from taut.views.plots.style import STYLES
from taut.views.plots.suspension import displacement_sheets, torque_sheets
from taut.views.plots.tension import guide_sheets, length_sheets, tension_sheets

ALL_GROUPS: dict[str, Callable[[Result], list[Sheet]]] = {
    "motion": motion_sheets,
    "deviation": deviation_sheets,
    "displacement": displacement_sheets,
    "velocity": velocity_sheets,
    "acceleration": acceleration_sheets,
    "tension": tension_sheets,
    "guides": guide_sheets,
    "element": element_sheets,
    "slack": slack_sheets,
    "torque": torque_sheets,
    "length": length_sheets,
    "force": force_sheets,
    "drive": drive_sheets,
    "control": control_sheets,
    "actuator": actuator_sheets,
    "singularity": singularity_sheets,
    "bodies": body_sheets,
    "joint": joint_sheets,
    "multiplier": multiplier_sheets,
    "constraint": constraint_sheets,
    "energy": energy_sheets,
    "step": step_sheets,
}
ALL_FORMATS = ("png", "pdf", "svg")

Results = Result | Sequence[Result] | Mapping[str, Result]


def plot_result(
    results: Results,
    groups: Sequence[str] | None = None,
    folder: str | Path = ".",
    formats: Sequence[str] = ("png",),
    *,
    style: str = "screen",
) -> list[Path]:
    """Draw figures and return their paths.

    Args:
        results: One result, or several to draw side by side: a list, or a mapping from the name to show.
        groups: Names of ``ALL_GROUPS``; None draws all that the results have something for.
        folder: Where the figures go; made if it is not there.
        formats: Any of ``ALL_FORMATS``.
        style: One of ``STYLES``: screen, paper (the width of a column, serifs) or talk (large letters).
    """
    _check_known("group", groups or (), tuple(ALL_GROUPS))
    _check_known("format", formats, ALL_FORMATS)
    _check_known("style", [style], tuple(STYLES))
    named = _named(results)
    sheets = _sheets_by_name(named, groups)
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [path for found in sheets.values() for path in _write(found, list(named), folder, (formats, style))]
    except OSError as error:
        raise from_os_error(error.filename or folder, error, "cannot be written") from error


class EmptyGroup(UserWarning):
    """A group was asked for that this result has nothing of, beside others."""


def _write(sheets: list[Sheet], names: list[str], folder: Path, look: tuple[Sequence[str], str]) -> list[Path]:
    formats, style = look
    figure = draw_sheets(sheets, names, STYLES[style])
    paths = [folder / f"{_file_name(sheets[0].name)}.{suffix}" for suffix in formats]
    for path in paths:
        save_figure(figure, path, STYLES[style])
    return paths


def _sheets_by_name(named: dict[str, Result], groups: Sequence[str] | None) -> dict[str, list[Sheet]]:
    """The sheets of all results by name; one that a result lacks is empty there."""
    found: dict[str, list[Sheet]] = {}
    empty: list[str] = []
    for group in groups or ALL_GROUPS:
        by_result = [{sheet.name: sheet for sheet in ALL_GROUPS[group](result)} for result in named.values()]
        titles = {sheet.name: sheet.title for sheets in by_result for sheet in sheets.values()}
        for name, title in titles.items():
            found[name] = [sheets.get(name, Sheet(name, title)) for sheets in by_result]
        if groups is not None and not titles:
            empty.append(group)
    if empty and len(empty) == len(groups or ()):
        raise ResultError("", f"there is nothing to draw for {', '.join(map(repr, empty))} in this result")
    if empty:
        warnings.warn(
            f"there is nothing to draw for {', '.join(map(repr, empty))} in this result", EmptyGroup, stacklevel=3
        )
    return found


def _named(results: Results) -> dict[str, Result]:
    if isinstance(results, Result):
        return {results.title: results}
    if isinstance(results, Mapping):
        return dict(results)
    names = [result.path.stem if result.path else result.title for result in results]
    unique = len(set(names)) == len(names)
    return {
        name if unique else f"{k}: {name}": result
        for k, (name, result) in enumerate(zip(names, results, strict=True), 1)
    }


def _check_known(what: str, given: Sequence[str], known: tuple[str, ...]) -> None:
    for name in given:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]!r}? " if close else ""
            raise ResultError("", f"there is no {what} {name!r}", f"{hint}known: {', '.join(known)}")


def _file_name(name: str) -> str:
    """A name without the characters that file systems refuse."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name)
