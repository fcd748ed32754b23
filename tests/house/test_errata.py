"""Every erratum names what shows it, and that is there."""

import re

import pytest

from house.sources import ROOT
from taut import library
from taut.verify import CASES

PAGE = (ROOT / "docs/errata.md").read_text(encoding="utf-8")
ENTRIES = {part.partition("\n")[0]: part for part in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]}


@pytest.mark.parametrize("title", ENTRIES)
def test_erratum_names_what_shows_it(title):
    shown = ENTRIES[title].partition("*Shown by:*")[2]
    cases = re.findall(r"`taut verify ([\w.-]+)`", shown)
    runs = re.findall(r"`taut run ([\w-]+)`", shown)
    tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", shown)
    assert cases or runs or tests
    assert set(cases) <= set(CASES) and set(runs) <= set(library.names())
    for file, name in tests:
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


def test_all_five_papers_are_there():
    names = ["Mamidi2024", "Tempel2018", "Wang2018", "Sathuluri", "Brogliato2022"]
    assert all(f"[{name}](references.md)" in PAGE for name in names)
