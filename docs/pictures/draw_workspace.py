"""Draw docs/pictures/workspace-cogiro.png: run `python docs/pictures/draw_workspace.py`."""

from pathlib import Path

import taut
from taut.views.robots.workspace import draw_workspace

if __name__ == "__main__":
    found = taut.robots.workspace(
        taut.library.load("cogiro"),
        {"x": (-7, 7), "y": (-5, 5), "z": (0.3, 5)},
        grid=41,
        wrench=[50, 50, 50, 20, 20, 20],
        surface=True,
        volume=0.01,
    )
    draw_workspace(found.to_xarray(), Path(__file__).with_name("workspace-cogiro.png"))
