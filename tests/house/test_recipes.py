"""The recipes of CONTRIBUTING.md are true: a toy of each, added to a copy of the sources as the recipe says, works.

A toy in ``recipes/`` is a list of edits in at most three source files, a check of its own that runs in a process of its
own on the copy, and a mistake that a contributor could make, with which the check must fail.
"""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TOYS = {
    "joint": "Add a joint",
    "modal_node": "Add a modal node",
    "law": "Add a law",
    "driver": "Add a driver",
    "integrator": "Add an integrator",
    "controller": "Add a controller",
    "analysis": "Add an analysis",
}
MOST_FILES = 3


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The sources, to be edited."""
    target = tmp_path_factory.mktemp("sources") / "taut"
    shutil.copytree(ROOT / "src" / "taut", target, ignore=shutil.ignore_patterns("__pycache__", "*.npz"))
    return target


def toy_of(name):
    return runpy.run_path(str(HERE / "recipes" / f"{name}.py"))


def edited(text, old, new, where):
    assert text.count(old) == 1, f"{where}: {old!r} is there {text.count(old)} times"
    return text.replace(old, new)


def apply(copy, toy):
    """Edit the copy; returns what its files held before (None: nothing)."""
    before = {}
    for file, edits in toy["EDITS"].items():
        path = copy / file
        before[path] = path.read_text() if path.exists() else None
        if isinstance(edits, str):
            assert before[path] is None, f"{file} is there already"
            path.write_text(edits)
            continue
        for old, new in edits:
            path.write_text(edited(path.read_text(), old, new, file))
    return before


def restore(before):
    for path, text in before.items():
        path.unlink() if text is None else path.write_text(text)


def checked(copy, name):
    """The toy's check in a process of its own."""
    paths = os.pathsep.join([str(copy.parent), str(ROOT / "tests")])
    setting = {**os.environ, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, str(HERE / "recipes" / f"{name}.py")]
    return subprocess.run(command, env=setting, capture_output=True, text=True, timeout=120)


@pytest.mark.slow
@pytest.mark.parametrize("name", TOYS)
def test_a_toy_made_by_the_recipe_works_and_its_check_can_fail(copy, name):
    toy = toy_of(name)
    assert len(toy["EDITS"]) <= MOST_FILES
    before = apply(copy, toy)
    try:
        done = checked(copy, name)
        assert done.returncode == 0, done.stderr[-3000:]
        file, old, new = toy["MISTAKE"]
        (copy / file).write_text(edited((copy / file).read_text(), old, new, file))
        assert "AssertionError" in checked(copy, name).stderr
    finally:
        restore(before)


@pytest.mark.parametrize("name", TOYS)
def test_a_recipe_names_the_files_of_its_toy(name):
    text = (ROOT / "CONTRIBUTING.md").read_text()
    recipe = re.search(rf"### {TOYS[name]}\n(.*?)(?=\n### |\Z)", text, re.DOTALL)
    assert recipe, f"there is no recipe {TOYS[name]!r}"
    for file, edits in toy_of(name)["EDITS"].items():
        place = f"src/taut/{Path(file).parent}/" if isinstance(edits, str) else f"src/taut/{file}"
        assert place in recipe[1], f"{TOYS[name]} does not name {place}"
