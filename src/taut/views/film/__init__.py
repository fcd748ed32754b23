"""Pictures and films of results, drawn without a screen."""

from taut.views.film.animate import FilmSettings, animate
from taut.views.film.camera import PRESETS, camera_for
from taut.views.film.picture import Painter

__all__ = ["PRESETS", "FilmSettings", "Painter", "animate", "camera_for"]
