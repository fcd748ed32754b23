"""The workspace in a report: its surface around the machine, slices, its size, and the question it answers."""

from html import escape
from io import BytesIO
from typing import Any

import xarray as xr

from taut.views.report.parts import address_of, png_address
from taut.views.robots.picture import still_machine, workspace_picture
from taut.views.robots.shape import Shape, has_surface, read_shape
from taut.views.robots.workspace import PLAIN, margin_name, question_of, size_text, workspace_figure
from taut.views.scene.machine import Machine

SURFACE, LOOKS = (1000, 560), (("front", (480, 330)), ("side", (480, 330)), ("top", (480, 330)))


def workspace_html(data: xr.Dataset, machine: Machine | None = None) -> str:
    """Size and question, pictures of the surface (of a workspace in space), slices."""
    parts = [f"<p><b>{escape(size_text(data))}</b>: {escape(inside_text(data))}.</p>", question_html(data)]
    if has_surface(data):
        shape = read_shape(data)
        parts += [surface_html(machine or still_machine(data), shape), legend_html(data, shape)]
    elif not data["inside"].values.any():
        parts.append("<p>It is empty: no point of the region belongs to it.</p>")
    parts.append(f'<h3>Slices</h3><div class="slices"><img src="{slices_address(data)}" alt="slices, '
                 f'{escape(margin_name(data))} as colour"></div>')  # fmt: skip
    return "".join(parts)


def inside_text(data: xr.Dataset) -> str:
    """Grid points inside, and how fine the grid is."""
    grid = " x ".join(str(size) for size in data["margin"].shape)
    text = f"{int(data['inside'].sum())} of {data['inside'].size} points of a grid {grid} are inside"
    if data.sizes.get("turn", 1) > 1:
        text += f" at all orientations, {int(data['reachable'].sum())} at one at least"
    return text


def question_html(data: xr.Dataset) -> str:
    """Table of the question that the workspace answers."""
    rows = "".join(f"<tr><td>{escape(key)}</td><td>{escape(text)}</td></tr>" for key, text in question_of(data).items())
    return f"<table class='question'><tbody>{rows}</tbody></table>"


def surface_html(machine: Machine, shape: Shape) -> str:
    """One large picture, and three along the axes."""
    large = png_address(workspace_picture(machine, shape, SURFACE))
    small = "".join(
        f'<figure><img src="{png_address(workspace_picture(machine, shape, size, look))}" alt="from the {look}">'
        f"<figcaption>{look}</figcaption></figure>"
        for look, size in LOOKS
    )
    alt = "the workspace around the machine"
    return f'<figure class="surface"><img src="{large}" alt="{alt}"></figure><div class="story">{small}</div>'


def legend_html(data: xr.Dataset, shape: Shape) -> str:
    """Legend of the surfaces' colours."""
    steps = "".join(
        f'<span style="flex: 1; background: rgb({", ".join(str(round(255 * c)) for c in colour)})"></span>'
        for colour in shape.colours
    )
    return (
        f'<p class="soft">Surfaces: {escape(shape.words)}. {escape(margin_name(data)).capitalize()}: 0 '
        f'<span class="bar-of-colours" style="display: inline-flex">{steps}</span> {shape.levels[-1]:g} '
        f"{escape(shape.unit)}.</p>"
    )


def slices_address(data: xr.Dataset) -> str:
    """The slices as text for a page."""
    import matplotlib

    memory = BytesIO()
    with matplotlib.rc_context({**PLAIN, "savefig.dpi": 160}):
        figure: Any = workspace_figure(data, has_title=False, has_picture=False)
        figure.savefig(memory, format="png")
    return address_of(memory.getvalue(), "image/png")
