"""Draw docs/pictures/robot.gif, the film of the README: run `python docs/pictures/draw_film.py`."""

from pathlib import Path

import taut
from taut.views.film import FilmSettings, animate

if __name__ == "__main__":
    result = taut.simulate(taut.build(taut.load("eight-cable-robot", ["run.save_every=0.02"])))
    settings = FilmSettings(fps=10, width=560, height=380, has_plots=False)
    animate(result, str(Path(__file__).with_name("robot.gif")), settings)
