"""A result as a film, without a screen: MP4, GIF, or a folder of PNG pictures."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from taut.results.errors import ResultError, from_os_error
from taut.results.result import Result
from taut.views.film.camera import PRESETS, camera_for
from taut.views.film.caption import Caption
from taut.views.film.panels import Strip, film_panels
from taut.views.film.picture import Painter
from taut.views.film.writers import writer_for
from taut.views.scene.colours import THEMES
from taut.views.scene.machine import read_machine

PLOTS = 0.36  # share of the film's width that plots get
MOST_FRAMES = 200_000
PATH_POINTS = 400
LEAST_PANEL = 150  # smallest height of a plot [pixels]

Progress = Callable[[int, int], None]  # called with the number of pictures done and of all pictures


@dataclass(frozen=True)
class FilmSettings:
    """How a film looks."""

    fps: float = 30.0  # pictures per second
    speed: float = 1.0  # simulated seconds per second of film
    width: int = 1280  # width of the film [pixels]
    height: int = 720
    camera: str = "iso"
    theme: str = "light"
    has_plots: bool = True
    has_forces: bool = False
    has_path: bool = True  # whether the path of the platform, or else of the last body, is drawn
    start: float | None = None  # first time shown [s]; none: that of the first sample
    end: float | None = None  # last time shown [s]; none: that of the last sample

    def check(self) -> None:
        """Refuse what cannot be drawn."""
        _check(0 < self.fps <= 240, "fps", self.fps, "must be from just above 0 to 240")
        _check(1e-4 <= self.speed <= 1e4, "speed", self.speed, "must be from 0.0001 to 10000")
        for name in ("width", "height"):
            _check(64 <= getattr(self, name) <= 7680, name, getattr(self, name), "must be from 64 to 7680 pixels")
        _check(self.camera in PRESETS, "camera", self.camera, f"known: {', '.join(PRESETS)}")
        _check(self.theme in THEMES, "theme", self.theme, f"known: {', '.join(THEMES)}")


def animate(
    result: Result, output: str | Path, settings: FilmSettings | None = None, progress: Progress | None = None
) -> Path:
    """Draw a film of a result.

    Args:
        result: A run.
        output: A file that ends in .mp4 or .gif, or the name of a folder for PNG pictures.
        settings: How the film looks.
        progress: Told how many pictures are done, of how many.

    Returns:
        The path that was written.
    """
    settings = settings or FilmSettings()
    settings.check()
    times = film_times(result, settings)
    writer = writer_for(Path(output), settings.fps)
    try:
        for number, picture in enumerate(pictures(result, times, settings), 1):
            writer.add(picture)
            if progress is not None:
                progress(number, len(times))
        return writer.close()
    except OSError as error:
        raise from_os_error(output, error, "cannot be written") from error
    finally:
        writer.drop()


def film_times(result: Result, settings: FilmSettings) -> np.ndarray:
    """Simulated time of every picture [s]."""
    if not len(result.time):
        raise ResultError(result.path or "", "has no samples", "repeat the run")
    first, last = float(result.time[0]), float(result.time[-1])
    start = first if settings.start is None else max(settings.start, first)
    end = last if settings.end is None else min(settings.end, last)
    if end < start:
        raise ResultError(
            "", f"from {start:g} s to {end:g} s there is nothing", f"the result goes from {first:g} to {last:g} s"
        )
    count = round((end - start) / settings.speed * settings.fps)
    if count > MOST_FRAMES:
        raise ResultError(
            "", f"the film would have {count} pictures", f"at most {MOST_FRAMES}: raise speed or lower fps"
        )
    return np.linspace(start, end, max(count, 1))


def pictures(result: Result, times: np.ndarray, settings: FilmSettings) -> Iterator[np.ndarray]:
    """Every picture of a film, shape [height, width, 3]; sides are even, as encoders want."""
    machine, theme = read_machine(result), THEMES[settings.theme]
    width, height = settings.width // 2 * 2, settings.height // 2 * 2
    panels = film_panels(result, most=int(np.clip(height // LEAST_PANEL, 0, 3))) if settings.has_plots else []
    beside = round(PLOTS * width) // 2 * 2 if panels else 0
    camera = camera_for(machine, width - beside, height, settings.camera)
    painter = Painter(machine, camera, theme, has_forces=settings.has_forces)
    caption = Caption(machine, result.title, theme, height)
    strip = Strip(panels, beside, height, theme) if panels else None
    path = machine.path(machine.main_body, PATH_POINTS) if settings.has_path and machine.main_body else None
    for time in times:
        frame = machine.frames.at(float(time))
        behind = path[1][path[0] <= frame.time] if path is not None else None
        picture = caption.write(painter.draw(frame, behind), frame)
        yield np.concatenate([picture, strip.draw(frame.time)], axis=1) if strip else picture


def _check(is_good: bool, name: str, value: object, remedy: str) -> None:
    if not is_good:
        raise ResultError("", f"{name} = {value}: {remedy}")
