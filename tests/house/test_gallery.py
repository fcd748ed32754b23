"""The gallery is complete and up to date: every machine of the library, its picture and the numbers of its run."""

import json

import pytest
from PIL import Image

import taut
from house.sources import ROOT
from house.test_generated_pages import generator
from taut import library

MADE = generator("gallery")
RUNS = json.loads((ROOT / "docs/pictures/gallery/runs.json").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs/gallery.md").read_text(encoding="utf-8")
AGAIN = "run: python docs/generate/gallery.py {}"


def test_page_is_made_of_the_runs_and_the_library():
    assert MADE["page"]() == PAGE, AGAIN.format("--page")


@pytest.mark.parametrize("name", library.names())
def test_machine_is_on_the_page(name):
    assert name in RUNS, AGAIN.format(name)
    for text in (f"### {name}\n", f"(pictures/gallery/{name}.png)", f"`taut run {name}`"):
        assert PAGE.count(text) == 1
    assert MADE["source_of"](name)


@pytest.mark.parametrize("name", library.names())
def test_numbers_are_those_of_the_machine(name):
    """What can be told without a run; that run came to its end, and passed its audit."""
    scenario, found = library.load(name), RUNS[name]
    model = taut.build(scenario)
    counts = len(model.names.bodies), len(model.names.cables), scenario.run.duration
    assert (found["bodies"], found["cables"], found["duration"]) == counts, AGAIN.format(name)
    assert found["audit"] == "pass" and found["seconds"] > 0.0
    assert found["status"] != "completed" or found["simulated"] == pytest.approx(found["duration"])


@pytest.mark.parametrize("name", library.names())
def test_picture_is_small_and_shows_something(name):
    file = ROOT / f"docs/pictures/gallery/{name}.png"
    assert file.stat().st_size <= MADE["MOST_BYTES"]
    with Image.open(file) as picture:
        assert picture.size == MADE["SIZE"] and len(picture.convert("RGB").getcolors(1 << 20)) > 10


def test_nothing_is_left_over():
    pictures = {file.stem for file in (ROOT / "docs/pictures/gallery").glob("*.png")}
    assert pictures == set(RUNS) == set(library.names())


def test_every_group_has_machines():
    groups = {MADE["group_of"](name, library.load(name)) for name in library.names()}
    assert groups == set(MADE["GROUPS"])
