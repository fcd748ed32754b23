"""A result in a notebook: a picture, the key numbers, the audit, and the dataset folded away."""

from html import escape

from taut.results.audit_text import audit_lines
from taut.results.result import Result
from taut.views.film.camera import camera_for
from taut.views.film.picture import Painter
from taut.views.report.numbers import key_numbers
from taut.views.report.parts import png_address
from taut.views.scene.machine import read_machine

SIZE = (360, 270)  # size of the picture [pixels]
FOLD = "<details><summary>{title}</summary>{content}</details>"


def result_card(result: Result) -> str:
    """The result as HTML for Jupyter."""
    if not len(result.time):
        return f"<pre>{escape(repr(result))}</pre>"
    machine = read_machine(result)
    time = machine.frames.time
    picture = png_address(
        Painter(machine, camera_for(machine, *SIZE)).draw(machine.frames.at(0.5 * (time[0] + time[-1])))
    )
    verdict = result.audit.get("verdict", "none")
    colour = {"pass": "#1f7a4d", "fail": "#b3261e"}.get(verdict, "#5d6672")
    rows = "".join(
        f'<tr><td style="text-align:right"><b>{escape(value)}</b></td>'
        f'<td style="text-align:left">{escape(label)}</td></tr>'
        for value, label in key_numbers(result)
    )
    mark = f'<span style="color:{colour}">audit {escape(verdict)}</span>'
    head = f"<b>{escape(result.title)}</b>: {escape(result.status)}, {mark}"
    audit = FOLD.format(title="audit", content=f"<pre>{escape(chr(10).join(audit_lines(result.audit)))}</pre>")
    dataset = FOLD.format(title="dataset", content=result.dataset._repr_html_())
    return (
        f'<div style="display:flex;gap:16px;flex-wrap:wrap"><img src="{picture}" width="{SIZE[0]}" alt="the machine">'
        f"<div>{head}<table>{rows}</table></div></div>{audit}{dataset}"
    )
