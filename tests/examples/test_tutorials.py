"""Every snippet of a tutorial is run, as the notebook made of its page; it prints and draws what the page shows."""

import re
import runpy
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from PIL import Image

from house.sources import ROOT

MADE = runpy.run_path(str(ROOT / "docs/generate/notebooks.py"))
PAGES = MADE["pages"]()
DRAWN = runpy.run_path(str(ROOT / "docs/pictures/draw_tutorials.py"))["DRAWN"]
SECONDS = 300  # time limit of one cell [s]: the engine may have to be compiled
BLOCK, ALIKE = 8, 25.0  # side of the blocks of pixels whose mean grey is compared, and how far it may differ (of 255)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_notebook_is_that_of_the_page(page):
    kept = ROOT / "examples/tutorials" / f"{page.stem}.ipynb"
    assert kept.read_text(encoding="utf-8") == MADE["notebook"](page), "run: python docs/generate/notebooks.py"


def test_no_notebook_without_a_page():
    assert {path.stem for path in (ROOT / "examples/tutorials").glob("*.ipynb")} == {page.stem for page in PAGES}


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_tutorial_prints_and_draws_what_it_shows(page, tmp_path, monkeypatch):
    book = nbformat.reads(MADE["notebook"](page), as_version=4)
    NotebookClient(book, timeout=SECONDS, resources={"metadata": {"path": str(tmp_path)}}).execute()
    for cell, ran in zip(MADE["cells"](page), book.cells, strict=True):
        if cell.kind != "markdown":
            check_output(cell, ran.outputs, page)
    monkeypatch.chdir(tmp_path)
    check_pictures(page, tmp_path)


def check_output(cell, outputs, page: Path) -> None:
    """What a cell printed is what its page shows; of commands the page may leave out lines, by `...`."""
    texts = {name: "".join(out.text for out in outputs if out.get("name") == name) for name in ("stdout", "stderr")}
    where = f"{page.name}: {cell.source}\n{texts['stdout']}{texts['stderr']}"
    if cell.is_refused:
        assert cell.printed in texts["stderr"], where
    elif cell.kind == "program":
        assert texts["stdout"].strip() == cell.printed, where
    else:
        printed = [line.rstrip() for line in texts["stdout"].split("\n")]
        missing = [line for line in cell.printed.split("\n") if line.strip() not in ("", "...") and line not in printed]
        assert not missing, where


def check_pictures(page: Path, folder: Path) -> None:
    """The pictures of a page are those of its run."""
    shown = set(re.findall(r"pictures/(tutorial-[\w-]+\.png)", page.read_text(encoding="utf-8")))
    made = folder / "pictures"
    made.mkdir()
    if page.stem in DRAWN:
        DRAWN[page.stem](made)
    assert {path.name for path in made.glob("*")} == shown
    for name in shown:
        found, kept = grey(made / name), grey(ROOT / "docs/pictures" / name)
        again = f"run: python docs/pictures/draw_tutorials.py {page.stem}"
        assert found.shape == kept.shape and np.abs(found - kept).max() < ALIKE, again


def grey(file: Path) -> np.ndarray:
    """Mean grey of the blocks of a picture."""
    with Image.open(file) as picture:
        pixels = np.asarray(picture.convert("L"), float)
    rows, columns = (size // BLOCK for size in pixels.shape)
    return pixels[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK).mean(axis=(1, 3))


def test_a_curve_that_is_missing_is_noticed(tmp_path):
    import matplotlib.pyplot as plt

    for name, curves in {"whole": 2, "part": 1}.items():
        figure, axes = plt.subplots(figsize=(8, 3.5))
        for k in range(curves):
            axes.plot([0, 1], [k, k + 1])
        axes.set(ylim=[0, 2])
        figure.savefig(tmp_path / f"{name}.png", dpi=110)
        plt.close(figure)
    assert np.abs(grey(tmp_path / "whole.png") - grey(tmp_path / "part.png")).max() > ALIKE


def test_output_that_differs_is_noticed():
    out = nbformat.v4.new_output("stream", name="stdout", text="ok\n")
    for cell in (MADE["Cell"]("program", "print()", "no"), MADE["Cell"]("command", "%taut check", "no")):
        with pytest.raises(AssertionError):
            check_output(cell, [out], Path("page.md"))
