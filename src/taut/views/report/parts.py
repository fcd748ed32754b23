"""The parts of a report's page as HTML; every text from outside is escaped."""

import base64
import json
from html import escape
from io import BytesIO
from typing import Any
from urllib.parse import quote

import numpy as np

from taut.results.audit_text import DESCRIPTIONS, MARKS
from taut.results.result import Result
from taut.views.film.camera import camera_for
from taut.views.film.picture import Painter
from taut.views.report.figures import Figure
from taut.views.report.numbers import key_numbers
from taut.views.report.scene_data import scene_data
from taut.views.scene.colours import RAMP, SLACK, force_text
from taut.views.scene.machine import Machine

SPEEDS = (0.1, 0.25, 0.5, 1, 2, 5)
PLAYER_HELP = (
    '<p class="soft screen-only">Drag to turn, right button to shift, wheel to come nearer. A click into a figure goes '
    "to that time.</p>"
)
MOST_EVENTS = 200
MOST_LOST = 5  # most failures told at the top of the page
# ends of the words by which the log of events tells of failures
FAILED = (" breaks", " is cut", " is lost", " lets go", " loses its brake")
STORY = (480, 330)  # size of a still picture [pixels]
VERSIONS = ("taut_version", "python_version", "numpy_version", "numba_version", "format_version", "model_digest")
GROUP_TITLES = {"constraint": "Constraint errors", "step": "Steps", "tension": "Tensions", "force": "Forces",
                "length": "Lengths", "torque": "Torques"}  # fmt: skip


def head_html(result: Result, description: str) -> str:
    """Title, verdict, what the scenario says of itself, and the key numbers."""
    verdict = result.audit.get("verdict", "none")
    badge = f'<span class="badge {verdict if verdict in ("pass", "fail") else "note"}">audit: {escape(verdict)}</span>'
    tiles = "".join(
        f'<div class="tile"><b>{escape(value)}</b><span>{escape(label)}</span></div>'
        for value, label in key_numbers(result)
    )
    words = [*lost(result.events), f"run {result.status}", result.status_text, description]
    about = "".join(f"<p>{escape(text)}</p>" for text in words if text)
    title = f"<h1>{escape(result.title or 'result')}{badge}</h1>"
    return f'{title}<div class="soft">{about}</div><div class="tiles">{tiles}</div>'


def lost(events: list[dict[str, Any]]) -> list[str]:
    """What broke or failed during the run, a sentence each: it belongs at the top of the page."""
    found = [event for event in events if str(event.get("what", "")).endswith(FAILED)]
    return [f"{event['what']} at t = {float(event['time']):.4g} s." for event in found[:MOST_LOST]]


def player_html(machine: Machine) -> str:
    """The machine in 3D with its controls, and three still pictures that also print."""
    data = json.dumps(scene_data(machine), separators=(",", ":"), allow_nan=False).replace("</", "<\\/")
    time = machine.frames.time
    forces = '<label><input type="checkbox" class="forces"> forces</label>' if machine.frames.cables else ""
    looks = "".join(f'<button data-look="{name}">{name}</button>' for name in ("iso", "front", "side", "top"))
    speeds = "".join(f'<option value="{x:g}"{" selected" * (x == 1)}>{x:g} x</option>' for x in SPEEDS)
    span = f'min="{time[0]:.9g}" max="{time[-1]:.9g}" step="any" value="{time[0]:.9g}"'
    return (
        f'<div id="player"><canvas></canvas><div class="bar"><button class="play">Play</button>'
        f'<input type="range" {span} aria-label="time">'
        f'<select class="speed" aria-label="speed">{speeds}</select>{looks}{forces}'
        f'<span class="readout"></span></div></div>{PLAYER_HELP}{colours_html(machine)}{story_html(machine)}'
        f'<script type="application/json" id="scene-data">{data}</script>'
    )


def colours_html(machine: Machine) -> str:
    """Legend of the cables' colours."""
    if not machine.frames.cables:
        return ""
    stops = ", ".join(_css(colour) for colour in RAMP)
    low, high = machine.tension_limits
    return (
        f'<p class="soft">Cables by tension: {force_text(low)} <span class="bar-of-colours" style="background: '
        f'linear-gradient(to right, {stops})"></span> {force_text(high)}; '
        f'slack: <b style="color: {_css(SLACK)}">magenta, thinner</b>.</p>'
    )


def story_html(machine: Machine) -> str:
    """Pictures of start, middle and end."""
    painter = Painter(machine, camera_for(machine, *STORY))
    time = machine.frames.time
    figures = []
    for moment in (time[0], 0.5 * (time[0] + time[-1]), time[-1]):
        picture = png_address(painter.draw(machine.frames.at(float(moment))))
        words = f"t = {moment:.4g} s"
        figures.append(
            f'<figure><img src="{picture}" alt="the machine at {words}"><figcaption>{words}</figcaption></figure>'
        )
    return f'<div class="story">{"".join(figures)}</div>'


def group_title(group: str) -> str:
    """Heading of a group of figures."""
    return GROUP_TITLES.get(group, group.capitalize())


# units of the limits that have one
UNITS = {
    "machine_size": " m",
    "constraint_error": " m",
    "constraint_error_velocity": " m/s",
    "overlap": " m",
    "energy_floor": " J",
}


def figure_html(figure: Figure) -> str:
    """A figure with a cursor that follows the player."""
    shares = f'data-left="{figure.left:.5f}" data-width="{figure.width:.5f}"'
    span = f'data-low="{figure.low:.9g}" data-high="{figure.high:.9g}"'
    return (
        f'<div class="figure" id="figure-{escape(figure.name, quote=True)}"><img src="{figure.address}" '
        f'alt="{escape(figure.title, quote=True)}">'
        f'<div class="cursor" {shares} {span} style="left:{100 * figure.left:.3f}%"></div></div>'
    )


def audit_html(audit: dict[str, Any]) -> str:
    """The audit as a table, with reasons and thresholds."""
    if not audit:
        return "<p>This result has no audit.</p>"
    rows = []
    for name, (label, describe) in DESCRIPTIONS.items():
        if name in audit:
            verdict = audit[name]["verdict"]
            mark = f'<span class="badge {verdict}">{MARKS[verdict] or "fact"}</span>'
            text = "<br>".join(escape(line) for line in describe(audit[name]))
            if not text:
                continue
            rows.append(f"<tr><td>{mark}</td><td>{escape(label)}</td><td>{text}</td></tr>")
    reasons = "".join(f"<p>{escape(reason)}</p>" for reason in [*audit["reasons"], *audit["warnings"]])
    limits = ", ".join(
        f"{escape(name)} {value:.3g}{UNITS.get(name, '')}" for name, value in audit.get("thresholds", {}).items()
    )
    return f'<table><tbody>{"".join(rows)}</tbody></table>{reasons}<p class="soft">Limits: {limits}.</p>'


def events_html(events: list[dict[str, Any]]) -> str:
    """Table of the run's events."""
    rows = "".join(
        f'<tr><td class="number">{float(event.get("time", np.nan)):.6g}</td>'
        f"<td>{escape(str(event.get('name', '')))}</td><td>{escape(str(event.get('what', '')))}</td></tr>"
        for event in events[:MOST_EVENTS]
    )
    more = f"<p>and {len(events) - MOST_EVENTS} more</p>" if len(events) > MOST_EVENTS else ""
    head = '<thead><tr><th class="number">t [s]</th><th>event</th><th></th></tr></thead>'
    return f'<table class="narrow">{head}<tbody>{rows}</tbody></table>{more}'


def reproduce_html(result: Result) -> str:
    """Versions, commands, and the scenario itself."""
    attrs, text = result.dataset.attrs, result.scenario_text
    rows = "".join(
        f"<tr><td>{escape(key.replace('_', ' '))}</td><td>{escape(str(attrs[key]))}</td></tr>"
        for key in VERSIONS
        if key in attrs
    )
    name = result.path.name if result.path else "result.nc"
    lines = [
        "taut run scenario.yaml -o again.nc   # the scenario below",
        f"taut run {name} -o again.nc   # or the result",
    ]
    commands = "\n".join(lines)
    address = f"data:text/yaml;charset=utf-8,{quote(text)}"
    link = f'<a class="screen-only" download="scenario.yaml" href="{address}">save it as a file</a>'
    scenario = f"<h3>Scenario</h3>{link}<pre>{escape(text)}</pre>" if text else "<p>The result holds no scenario.</p>"
    return f"<table><tbody>{rows}</tbody></table><h3>Commands</h3><pre>{escape(commands)}</pre>{scenario}"


def png_address(picture: np.ndarray) -> str:
    """A picture as text for a page."""
    from PIL import Image

    memory = BytesIO()
    Image.fromarray(picture).save(memory, format="PNG", optimize=True)
    return address_of(memory.getvalue(), "image/png")


def address_of(content: bytes, kind: str) -> str:
    """Bytes as a data: URL."""
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"


def _css(colour: np.ndarray) -> str:
    return "rgb({}, {}, {})".format(*(round(255 * c) for c in colour))
