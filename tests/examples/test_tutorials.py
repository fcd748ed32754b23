"""Every snippet of a tutorial is run, as the notebook made of its page, and prints what the page shows."""

import runpy
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from house.sources import ROOT

MADE = runpy.run_path(str(ROOT / "docs/generate/notebooks.py"))
PAGES = MADE["pages"]()
SECONDS = 300  # for one cell: the engine may have to be compiled


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_notebook_is_that_of_the_page(page):
    kept = ROOT / "examples/tutorials" / f"{page.stem}.ipynb"
    assert kept.read_text(encoding="utf-8") == MADE["notebook"](page), "run: python docs/generate/notebooks.py"


def test_no_notebook_without_a_page():
    assert {path.stem for path in (ROOT / "examples/tutorials").glob("*.ipynb")} == {page.stem for page in PAGES}


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_tutorial_runs_and_prints_what_it_shows(page, tmp_path):
    book = nbformat.reads(MADE["notebook"](page), as_version=4)
    NotebookClient(book, timeout=SECONDS, resources={"metadata": {"path": str(tmp_path)}}).execute()
    for cell, ran in zip(MADE["cells"](page), book.cells, strict=True):
        if cell.kind != "markdown":
            check_output(cell, ran.outputs, page)


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


def test_output_that_differs_is_noticed():
    out = nbformat.v4.new_output("stream", name="stdout", text="ok\n")
    for cell in (MADE["Cell"]("program", "print()", "no"), MADE["Cell"]("command", "%taut check", "no")):
        with pytest.raises(AssertionError):
            check_output(cell, [out], Path("page.md"))
