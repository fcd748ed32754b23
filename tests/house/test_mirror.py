"""Tests of units lie where what they test lies: `tests/unit` has the folders of `src/taut`."""

import pytest

from house.sources import PACKAGE, ROOT

UNITS = ROOT / "tests" / "unit"
TESTS = sorted(path.relative_to(UNITS) for path in UNITS.rglob("test_*.py") if path.parent != UNITS)


@pytest.mark.parametrize("test", TESTS, ids=str)
def test_a_test_lies_in_the_folder_of_its_module(test):
    folder, name = PACKAGE / test.parent, test.stem.removeprefix("test_")
    assert folder.is_dir()
    # any other name is a subject, which must not be the name of a module in another folder of the room
    is_own = (folder / f"{name}.py").exists() or name == folder.name
    assert is_own or not list((PACKAGE / test.parts[0]).rglob(f"{name}.py"))
