"""The controls of the player: time, what is shown, cameras, plots."""

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from taut.views.film.camera import PRESETS
from taut.views.player.charts import Charts, groups_of
from taut.views.player.surroundings import set_theme
from taut.views.scene.colours import RAMP, SLACK, force_text
from taut.views.scene.frames import Frame
from taut.views.scene.machine import Machine

if TYPE_CHECKING:
    from taut.views.player.player import Player

SPEEDS = ("0.05 x", "0.1 x", "0.25 x", "0.5 x", "1 x", "2 x", "5 x", "10 x")
HERE = "here"  # name of a camera that looks as iso does, but from close to the machine's present position
CAMERA_HINT = "iso, front, side and top see the whole motion; here goes to where the machine is now"
FIRST_GROUPS = ("tension", "motion")


class Controls:
    """The panel at the right, and the plots at the left."""

    def __init__(self, player: "Player", *, is_dark: bool) -> None:
        """Make the panels; what the controls ask for is done by the player."""
        self.player, self.gui = player, player.server.gui
        self.is_dark = is_dark
        self.set_theme()
        self.gui.main_panel.dock_right()
        machine = player.machine
        with self.gui.add_folder("Time", order=0, visible=len(machine.frames) > 1):
            self.readout = self.gui.add_html("")
            self.slider = self.gui.add_slider("t [s]", **slider_range(machine))
            self.play = self.gui.add_button("Play")
            self.speed = self.gui.add_dropdown("speed", SPEEDS, initial_value="1 x")
            self.is_loop = self.gui.add_checkbox("repeat", True)
        with self.gui.add_folder("Show", order=10):
            self._add_show()
        self._add_plots()
        self._connect()

    def _add_show(self) -> None:
        machine = self.player.machine
        self.look = self.gui.add_button_group("camera", (*PRESETS, HERE), hint=CAMERA_HINT)
        self.forces = self.gui.add_checkbox("forces", False, visible="anchor_force" in machine.frames.result)
        points = self.player.stages[0].trace_points() or ["none"]
        self.point = self.gui.add_dropdown("trace of", tuple(points), initial_value=machine.main_body or points[0])
        self.trace = self.gui.add_button("Trace on / off")
        self.dark = self.gui.add_checkbox("dark", self.is_dark)
        self.shadows = self.gui.add_checkbox("shadows", True)
        self.legend = self.gui.add_html(legend_html(machine))

    def _add_plots(self) -> None:
        results = self.player.results
        groups = groups_of(results[0])
        self.plots_panel = self.gui.add_panel(visible=bool(groups))
        self.tab = self.plots_panel.add_tab("Plots")
        with self.tab:
            first = next((group for group in FIRST_GROUPS if group in groups), groups[0] if groups else "none")
            self.group = self.gui.add_dropdown("variables", tuple(groups) or ("none",), initial_value=first)
        self.plots_panel.dock_left()
        self.plots_panel.set_width(390)
        self.charts = Charts(self.gui, self.tab, results, self.player.machine.main_body)

    def draw_charts(self) -> None:
        """Draw the group that is chosen; of a long result this reads much, so the machine is shown before."""
        if self.group.value in groups_of(self.player.results[0]):
            self.charts.choose(self.group.value, self.player.time)

    def _connect(self) -> None:
        player = self.player
        self.slider.on_update(lambda event: player.seek(self.slider.value) if event.client is not None else None)
        self.play.on_click(lambda _: player.toggle())
        self.speed.on_update(lambda _: player.set_speed(float(self.speed.value.split()[0])))
        self.look.on_click(lambda event: player.look(self.look.value, event.client))
        self.forces.on_update(lambda _: player.set_forces(self.forces.value))
        self.trace.on_click(lambda _: player.trace(self.point.value))
        self.shadows.on_update(lambda _: player.set_shadows(self.shadows.value))
        self.dark.on_update(lambda _: self.set_dark(self.dark.value))
        self.group.on_update(lambda _: player.choose_group(self.group.value))

    def set_dark(self, is_dark: bool) -> None:
        """Change the page between dark and light colours."""
        self.is_dark = is_dark
        self.set_theme()

    def set_theme(self) -> None:
        """Tell the page how it looks."""
        set_theme(self.gui, self.is_dark)

    def show(self, frame: Frame, *, is_playing: bool) -> None:
        """Show the time, the place of the main body, and which cables are slack."""
        self.slider.value = float(np.clip(frame.time, self.slider.min, self.slider.max))
        self.readout.content = readout_html(self.player.machine, frame)
        label = "Pause" if is_playing else "Play"
        if self.play.label != label:
            self.play.label = label

    def reload(self) -> None:
        """Take up other results: their span of time, their points, their plots."""
        machine = self.player.machine
        span = slider_range(machine)
        self.slider.min, self.slider.max, self.slider.step = span["min"], span["max"], span["step"]
        self.legend.content = legend_html(machine)
        self.forces.visible = "anchor_force" in machine.frames.result
        self.charts.results = list(self.player.results)
        groups = groups_of(self.player.results[0])
        self.plots_panel.visible = bool(groups)
        if groups and tuple(self.group.options) != tuple(groups):
            self.group.options = tuple(groups)
        if groups:
            self.charts.choose(self.group.value if self.group.value in groups else groups[0], self.player.time)
        points = self.player.stages[0].trace_points()
        if points and tuple(self.point.options) != tuple(points):
            self.point.options = tuple(points)


def slider_range(machine: Machine) -> dict[str, float]:
    """Limits and step of time [s]; the step is that of the samples where these are even."""
    time = machine.frames.time
    low, high = float(time[0]), float(time[-1])
    step = float(np.median(np.diff(time))) if len(time) > 1 else 1.0
    step = float(f"{max(step, (high - low) / 20_000, 1e-9):.6g}")
    return {"min": low, "max": max(high, low + step), "step": step, "initial_value": low}


def readout_html(machine: Machine, frame: Frame) -> str:
    """Time, place and slack cables as a line of the page."""
    name = machine.main_body
    place = ""
    if name:
        x, y, z = machine.place(frame, name)
        place = f"<br>{escape(name)}: {x:.4f}, {y:.4f}, {z:.4f} m"
    slack = [cable for cable, is_slack in zip(machine.frames.cables, frame.is_slack, strict=False) if is_slack.any()]
    shown = escape(", ".join(slack[:8]) + (" ..." if len(slack) > 8 else ""))
    words = f'<br><b style="color:{_css(SLACK)}">slack: {shown}</b>' if slack else "<br>&nbsp;"
    cut = [cable for cable, is_cut in zip(machine.frames.cables, frame.is_cut, strict=False) if is_cut]
    words += f"<br><b>cut: {escape(', '.join(cut[:8]) + (' ...' if len(cut) > 8 else ''))}</b>" if cut else ""
    style = "padding: 0 1em; font-size: 0.9em; font-variant-numeric: tabular-nums"
    return f'<div class="taut-readout" style="{style}">t = {frame.time:.4f} s{place}{words}</div>'


def legend_html(machine: Machine) -> str:
    """Legend of the cables' colours."""
    if not machine.frames.cables or "cable_tension" not in machine.frames.result:
        return ""
    low, high = machine.tension_limits
    stops = ", ".join(_css(colour) for colour in RAMP)
    bar = f"display:inline-block;width:90px;height:9px;background:linear-gradient(to right, {stops})"
    return (
        f'<div style="padding: 0.4em 1em; font-size: 0.85em">tension {force_text(low)} '
        f'<span style="{bar}"></span> {force_text(high)}<br>'
        f'<span style="color:{_css(SLACK)};font-weight:600">magenta, thinner: slack</span></div>'
    )


def _css(colour: np.ndarray) -> str:
    return "rgb({}, {}, {})".format(*(round(255 * c) for c in colour))
