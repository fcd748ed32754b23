"""Draw docs/pictures/tutorial-*.png: run `python docs/pictures/draw_tutorials.py [PAGE ...]`.

Every page is run as its notebook in an empty folder; its pictures are drawn from the results that it leaves there. The
test of the tutorials draws them too, and compares them with those that are kept.
"""

import os
import runpy
import shutil
import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import nbformat
import numpy as np
from nbclient import NotebookClient

import taut

HERE = Path(__file__).parent
MADE = runpy.run_path(str(HERE.parent / "generate/notebooks.py"))


def save(figure: plt.Figure, file: Path) -> None:
    """Write a figure."""
    figure.tight_layout()
    figure.savefig(file, dpi=110)
    plt.close(figure)


def robot(to: Path) -> None:
    """Draw the workspace, and the platform before and after the cut."""
    from PIL import Image

    from taut.views.film import FilmSettings, animate

    shutil.copy("workspace.png", to / "tutorial-robot-workspace.png")
    shots = []
    for number, start in enumerate((2.49, 2.75)):
        settings = FilmSettings(fps=1, width=640, height=540, has_plots=False, start=start, end=start + 0.02)
        animate(taut.open_result("cut.nc"), f"still-{number}", settings)
        shots.append(Image.open(sorted(Path(f"still-{number}").glob("*.png"))[0]))
    both = Image.new("RGB", (1280, 540), "white")
    for number, shot in enumerate(shots):
        both.paste(shot, (640 * number, 0))
    both.save(to / "tutorial-robot-cut.png")


def crane(to: Path) -> None:
    """Draw the plain move and the shaped one."""
    figure, (above, below) = plt.subplots(2, 1, figsize=(8, 4.5), sharex=True)
    for name, label in {"swing": "plain", "shaped": "shaped"}.items():
        result = taut.open_result(f"{name}.nc")
        above.plot(result.time, result["body_position"].sel(body="trolley", xyz="x"), label=label)
        below.plot(result.time, np.rad2deg(result["joint_position"].sel(coordinate="load-rope")))
    above.set_ylabel("trolley [m]")
    above.legend()
    below.set(xlabel="time [s]", ylabel="swing [degrees]")
    save(figure, to / "tutorial-crane-swing.png")


def suspended_platform(to: Path) -> None:
    """Draw the tensions with one winch that pays out more."""
    result = taut.open_result("uneven.nc")
    figure, axes = plt.subplots(figsize=(8, 3.5))
    for cable in result["cable"].values:
        axes.plot(result.time, result["cable_tension_exit"].sel(cable=cable) / 1e3, label=str(cable))
    axes.set(xlabel="time [s]", ylabel="tension [kN]")
    axes.legend()
    save(figure, to / "tutorial-suspended-tensions.png")


def stewart_platform(to: Path) -> None:
    """Draw the forces of the legs."""
    found = taut.open_result("forces.nc")
    figure, axes = plt.subplots(figsize=(8, 3.5))
    for number, rod in enumerate(found["actuator"].values):
        force = found["actuator_force"].sel(actuator=rod)
        style = {"linewidth": 3} if number < 2 else {"linestyle": "--"}
        axes.plot(found.time, force, label=str(rod), **style)
    axes.set(xlabel="time [s]", ylabel="force of a leg [N]")
    axes.legend(ncols=2)
    save(figure, to / "tutorial-stewart-forces.png")


def study(to: Path) -> None:
    """Draw the swing over length and time of the move."""
    found = taut.open_study("swing.zarr")
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.5), sharey=True)
    left.plot(found["signals.place.times[1]"], found["swing"], "o")
    left.set(xlabel="time of the move [s]", ylabel="swing that is left [rad]")
    right.plot(found["crane.links.load.length"], found["swing"], "o")
    right.set(xlabel="length of the rope [m]")
    save(figure, to / "tutorial-study.png")


def fit(to: Path) -> None:
    """Draw data, guess, and the fit with its band."""
    data, band = (np.genfromtxt(name, delimiter=",", names=True) for name in ("data.csv", "fit.csv"))
    guess = taut.simulate(taut.build(taut.load("hoist.yaml")))
    figure, axes = plt.subplots(figsize=(8, 3.5))
    axes.plot(data["time"], data["body_positionloadz"], ".", markersize=4, color="black", label="measured")
    axes.plot(guess.time, guess["body_position"].sel(body="load", xyz="z"), "--", color="grey", label="guess")
    _, value, low, high = (name for name in band.dtype.names if name.startswith("body_positionloadz"))
    axes.plot(band["time"], band[value], label="fit")
    axes.fill_between(band["time"], band[low], band[high], alpha=0.3)
    axes.set(xlabel="time [s]", ylabel="height [m]")
    axes.legend()
    save(figure, to / "tutorial-fit.png")


DRAWN = {"robot": robot, "crane": crane, "suspended-platform": suspended_platform, "stewart-platform": stewart_platform,
         "study": study, "fit": fit}  # fmt: skip

if __name__ == "__main__":
    for page in sys.argv[1:] or DRAWN:
        with tempfile.TemporaryDirectory() as folder:
            book = nbformat.reads(MADE["notebook"](MADE["PAGES"] / f"{page}.md"), as_version=4)
            NotebookClient(book, timeout=600, resources={"metadata": {"path": folder}}).execute()
            os.chdir(folder)
            DRAWN[page](HERE)
            os.chdir(HERE)
