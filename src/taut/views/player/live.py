"""A machine that moves now: the page shows what it was told last.

``tell`` may be called from any thread and only stores; one thread moves everything in the page. What is drawn around
the machine, such as the floor and the rails, is made for the space in which it has been, and made anew when it leaves.
"""

import threading
import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any, NamedTuple

import numpy as np
import xarray as xr

from taut.results.result import Result
from taut.views.film.camera import PRESETS
from taut.views.player.controls import HERE, legend_html, readout_html
from taut.views.player.server import address, stop_server
from taut.views.player.stage import Stage
from taut.views.player.strips import Strip, Strips
from taut.views.player.surroundings import (
    is_alike,
    make_floor,
    move_cameras,
    set_first_camera,
    set_light,
    set_shadows,
    set_theme,
)
from taut.views.scene.frames import CHANNELS, Frame, frame_of
from taut.views.scene.machine import Machine, read_machine

RATE, CHART_RATE = 30.0, 5.0  # pictures and charts per second
LEFT = 0.03  # distance by which the machine may leave the drawn space before that is enlarged, relative to its size
AHEAD = 0.35  # space added in the direction of motion, relative to the distance moved since the start
MOST_KEPT = 64  # most frames that are kept to tell where the machine has been


class Moment(NamedTuple):
    """One update of the live page: the machine at a time, numbers for the charts, and words."""

    frame: Frame
    values: np.ndarray
    words: str


class Live:
    """The page of a machine that moves now."""

    def __init__(self, server: Any, start: Result, strips: Sequence[Strip] = (), *, is_dark: bool = False) -> None:
        """Show the first sample of ``start``, which carries the scenario; ``strips`` are the charts at the left."""
        self.server, self.start, self.is_dark, self.is_closed = server, start, is_dark, False
        self.lock = threading.RLock()
        self._news: Moment | None = None
        self._wake = threading.Event()
        self._makes = 0
        server.gui.set_panel_label(start.title or "taut")
        set_light(server)
        self.machine = read_machine(start)
        self.frame = self.machine.frames.sample(0)
        # _framed: the machine for whose extent the cameras were last set
        self._kept, self._framed = [self.frame], self.machine
        self.stage = self._new_stage()
        make_floor(server, self.machine)
        set_first_camera(server, self.machine)
        self._add_controls()
        self.strips = self._add_strips(strips)
        self.look("iso")
        self._thread = threading.Thread(target=self._run, name="taut-live", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Address of the page."""
        return address(self.server)

    @property
    def is_watched(self) -> bool:
        """Whether a browser is there."""
        return bool(self.server.get_clients())

    def tell(self, time: float, channels: Mapping[str, np.ndarray], values: np.ndarray, words: str = "") -> None:
        """Show the machine at a time [s].

        Args:
            time: of the machine.
            channels: of a result, by name, without time.
            values: for the charts, one after the other.
            words: how things stand, for the line below the time.
        """
        self._news = Moment(frame_of(time, channels), np.asarray(values, float), words)
        self._wake.set()

    def begin(self, start: Result) -> None:
        """Show another machine of the same kind, such as one with other numbers."""
        with self.lock:
            self.start, self.frame = start, frame_of(0.0, {name: start[name].values[0] for name in CHANNELS.values()
                                                           if name in start})  # fmt: skip
            self._kept = [self.frame]
            self._make(read_machine(start))

    def look(self, preset: str, client: Any = None) -> None:
        """Move the camera of a client, or of all, to a preset; `here` is near to the machine as it is now."""
        near = self.frame if preset == HERE else None
        move_cameras(self.server, self.machine, "iso" if preset == HERE else preset, near=near, client=client)

    def set_forces(self, is_wanted: bool) -> None:
        """Show or hide the cables' forces."""
        with self.lock:
            self.stage.set_forces(is_wanted)
            self.stage.show(self.frame)

    def close(self) -> None:
        """Stop the thread and the server."""
        self.is_closed = True
        self._wake.set()
        self._thread.join(timeout=2.0)
        stop_server(self.server)

    def _run(self) -> None:
        last = 0.0
        while not self.is_closed:
            self._wake.wait(timeout=1.0)
            self._wake.clear()
            now, (news, self._news) = clock.monotonic(), (self._news, None)
            if news is not None:
                with self.lock, self.server.atomic():
                    self._show(news)
                    self.strips.add(news.frame.time, news.values)
            # charts are drawn without news too, to show the last values before the machine stood still
            if now - last > 1.0 / CHART_RATE:
                with self.lock:
                    self.strips.draw()
                last = now
            clock.sleep(max(0.0, 1.0 / RATE - (clock.monotonic() - now)))

    def _show(self, news: Moment) -> None:
        self.frame = news.frame
        if self._has_left():
            self._kept.append(news.frame)
            # the first frame and every other one of the rest still span the space in which the machine has been
            self._kept = self._kept if len(self._kept) <= MOST_KEPT else [self._kept[0], *self._kept[2::2]]
            self._make(read_machine(grown(self.start, [*self._kept, ahead(self._kept[0], news.frame)])))
        self.stage.show(news.frame)
        words = f'<div class="taut-words" style="padding: 0 1em; font-size: 0.85em">{escape(news.words)}&nbsp;</div>'
        self.readout.content = readout_html(self.machine, news.frame) + words

    def _has_left(self) -> bool:
        """Whether the machine has left the space that was drawn for it."""
        if not np.isfinite(self.frame.position).all():
            return False
        low, high = self.machine.box_at(self.frame)
        margin = LEFT * self.machine.size
        return bool((low < self.machine.low - margin).any() or (high > self.machine.high + margin).any())

    def _make(self, machine: Machine) -> None:
        """Draw everything anew."""
        self.machine, old = machine, self.stage
        self.stage = self._new_stage()
        self.stage.set_forces(self.forces.value)
        old.remove()
        make_floor(self.server, machine)
        self.legend.content = legend_html(machine)
        # compare with the machine that the camera was set for, because many small growths add up
        if not is_alike(self._framed, machine):
            self._framed = machine
            set_first_camera(self.server, machine)
            self.look("iso")

    def _new_stage(self) -> Stage:
        # new names each time: late messages about removed objects must not reach their successors
        self._makes += 1
        return Stage(self.server, self.machine, f"live {self._makes}")

    def _add_controls(self) -> None:
        gui = self.server.gui
        set_theme(gui, self.is_dark)
        gui.main_panel.dock_right()
        with gui.add_folder("Now", order=0):
            self.readout = gui.add_html(readout_html(self.machine, self.frame))
        with gui.add_folder("Show", order=10):
            camera = gui.add_button_group("camera", (*PRESETS, HERE))
            self.forces = gui.add_checkbox("forces", False, visible="anchor_force" in self.start)
            dark, self.shadows = gui.add_checkbox("dark", self.is_dark), gui.add_checkbox("shadows", True)
            self.legend = gui.add_html(legend_html(self.machine))
        camera.on_click(lambda event: self.look(camera.value, event.client))
        self.forces.on_update(lambda _: self.set_forces(self.forces.value))
        dark.on_update(lambda _: set_theme(gui, dark.value))
        self.shadows.on_update(lambda _: set_shadows(self.server, self.shadows.value))

    def _add_strips(self, strips: Sequence[Strip]) -> Strips:
        gui = self.server.gui
        panel = gui.add_panel(visible=bool(strips))
        tab = panel.add_tab("Plots")
        panel.dock_left()
        panel.set_width(390)
        return Strips(gui, tab, strips)


def ahead(start: Frame, now: Frame) -> Frame:
    """Where the machine would be if it went on as it came, so that floor and rails reach further than it is."""
    return replace(now, position=now.position + AHEAD * (now.position - start.position),
                   nodes=now.nodes + AHEAD * (now.nodes - start.nodes))  # fmt: skip


def grown(start: Result, frames: Sequence[Frame]) -> Result:
    """A result with these moments as its samples, with the channels that are drawn."""
    data = start.dataset
    moving = {name: (data[name].dims, np.stack([getattr(frame, field) for frame in frames]))
              for field, name in CHANNELS.items() if name in data}  # fmt: skip
    still = {str(name): data[name] for name in data.data_vars if "time" not in data[name].dims}
    coords = {dim: data[dim].values for dim in ("body", "cable") if dim in data.coords}
    # frames are numbered instead of timed: times must increase in a result, and after a reset they do not
    return Result(xr.Dataset({**moving, **still}, {**coords, "time": np.arange(len(frames), dtype=float)}, data.attrs))
