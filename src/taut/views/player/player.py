"""The player: shows results at a moment, and lets time run.

One thread moves everything, so that all parts of the page show the same time; callbacks only store requests.
"""

import threading
import time as clock
from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from taut.results.result import Result
from taut.views.player.controls import HERE, Controls
from taut.views.player.server import address, stop_server
from taut.views.player.stage import Stage
from taut.views.player.surroundings import (
    is_alike,
    make_floor,
    move_cameras,
    set_first_camera,
    set_light,
    set_shadows,
)
from taut.views.player.workspace import WorkspaceStage
from taut.views.scene.machine import Machine, read_machine

RATE = 30.0  # pictures per second
CHART_RATE = 8.0  # most moves of the plots' cursors per second


class Player:
    """Results in a page: the first one solid, others to compare as ghosts."""

    def __init__(
        self, server: Any, results: Sequence[Result], *, is_dark: bool = False, workspace: xr.Dataset | None = None
    ) -> None:
        """Make the scene and the controls, and begin at the first sample; a workspace is drawn around the machine."""
        self.server, self.results = server, list(results)
        self.lock = threading.RLock()
        self.time, self.speed, self.is_playing, self.is_closed = 0.0, 1.0, False, False
        self._wanted: float | None = None
        self._wake = threading.Event()
        self._loads = 0
        self.server.gui.set_panel_label(self.results[0].title or "taut")
        set_light(self.server)
        self.workspace = None if workspace is None else WorkspaceStage(server, workspace)
        self._make_stages()
        self.time = float(self.machine.frames.time[0])
        make_floor(self.server, self.machine)
        set_first_camera(self.server, self.machine)
        self.controls = Controls(self, is_dark=is_dark)
        if self.workspace is not None:
            self.workspace.add_controls(self.server.gui)
        self.trace(self.machine.main_body)
        self._show(has_charts=False)
        self.look("iso")  # set the camera again, for browsers that connected before the scene existed
        self._thread = threading.Thread(target=self._run, name="taut-player", daemon=True)
        self._thread.start()

    @property
    def machine(self) -> Machine:
        """The machine of the first result."""
        return self.stages[0].machine

    @property
    def address(self) -> str:
        """Address of the page."""
        return address(self.server)

    # requests, from the page or from Python; the player's thread carries them out

    def seek(self, time: float) -> None:
        """Go to a time [s]."""
        self._wanted = float(time)
        self._wake.set()

    def toggle(self) -> None:
        """Play or pause."""
        self.is_playing = not self.is_playing
        if self.is_playing and self.time >= self.machine.frames.end:
            self._wanted = float(self.machine.frames.time[0])
        self._wake.set()

    def set_speed(self, speed: float) -> None:
        """Simulated seconds per second."""
        self.speed = speed

    def set_forces(self, is_wanted: bool) -> None:
        """Show or hide the cables' forces."""
        with self.lock:
            for stage in self.stages:
                stage.set_forces(is_wanted)
        self.seek(self.time)

    def set_shadows(self, is_wanted: bool) -> None:
        """Show or hide shadows."""
        set_shadows(self.server, is_wanted)

    def trace(self, point: str) -> None:
        """Show or hide the path of a point."""
        with self.lock:
            if point in self.stages[0].trace_points():
                self.stages[0].trace(point)

    def look(self, preset: str, client: Any = None) -> None:
        """Move the camera of a client, or of all, to a preset; `here` is near to the machine as it is now."""
        near = self.machine.frames.at(self.time) if preset == HERE else None
        move_cameras(self.server, self.machine, "iso" if preset == HERE else preset, near=near, client=client)

    def choose_group(self, group: str) -> None:
        """Plot another group of variables."""
        with self.lock:
            self.controls.charts.choose(group, self.time)

    def load(self, results: Sequence[Result]) -> None:
        """Show other results in the place of those that are there."""
        with self.lock:
            before = self.machine
            for stage in self.stages:
                stage.remove()
            self.results = list(results)
            self._make_stages()
            make_floor(self.server, self.machine)
            frames = self.machine.frames
            self.time = float(np.clip(self.time, frames.time[0], frames.end))
            self.controls.reload()
            for stage in self.stages:
                stage.set_forces(self.controls.forces.value)
            self.trace(self.machine.main_body)
            if not is_alike(before, self.machine):
                set_first_camera(self.server, self.machine)
                self.look("iso")
        self.seek(self.time)

    def seconds_to_show(self, time: float) -> float:
        """Go to a time [s] at once, and tell how long that took here; the page's own part is not counted."""
        begin = clock.perf_counter()
        with self.lock:
            self.time = float(np.clip(time, self.machine.frames.time[0], self.machine.frames.end))
            self._show(has_charts=True)
        return clock.perf_counter() - begin

    def close(self) -> None:
        """Stop the thread and the server."""
        self.is_closed = True
        self._wake.set()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=2.0)
        stop_server(self.server)

    # methods of the player's own thread, which moves all objects of the scene

    def _run(self) -> None:
        with self.lock:
            self.controls.draw_charts()
        last, last_charts = clock.monotonic(), 0.0
        while not self.is_closed:
            if not self.is_playing and self._wanted is None:
                self._wake.wait(timeout=1.0)
            self._wake.clear()
            now = clock.monotonic()
            is_moved = self._advance(min(now - last, 0.25))
            last = now
            if is_moved:
                is_chart_due = now - last_charts > 1.0 / CHART_RATE or not self.is_playing
                self._show(has_charts=is_chart_due)
                last_charts = now if is_chart_due else last_charts
            clock.sleep(max(0.0, 1.0 / RATE - (clock.monotonic() - now)))

    def _advance(self, passed: float) -> bool:
        """Bring the time up to date; say whether it changed."""
        frames = self.machine.frames
        if self._wanted is not None:
            self.time, self._wanted = float(np.clip(self._wanted, frames.time[0], frames.end)), None
            return True
        if not self.is_playing:
            return False
        self.time += self.speed * passed
        if self.time > frames.end:
            if self.controls.is_loop.value:
                self.time = float(frames.time[0])
            else:
                self.time, self.is_playing = frames.end, False
        return True

    def _show(self, *, has_charts: bool) -> None:
        with self.lock, self.server.atomic():
            shown = [stage.machine.frames.at(self.time) for stage in self.stages]
            for stage, frame in zip(self.stages, shown, strict=True):
                stage.show(frame)
            self.controls.show(shown[0], is_playing=self.is_playing)
            if has_charts:
                self.controls.charts.move(self.time)

    def _make_stages(self) -> None:
        machines = [read_machine(result) for result in self.results]
        if self.workspace is not None:
            machines[0] = self.workspace.around(machines[0])
        # new names each time: late messages about removed objects must not reach their successors
        self._loads += 1
        names = [f"result {self._loads}.{k + 1}" for k in range(len(machines))]
        self.stages = [
            Stage(self.server, machine, name, is_ghost=k > 0)
            for k, (machine, name) in enumerate(zip(machines, names, strict=True))
        ]
