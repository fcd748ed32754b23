"""Every cell of the comparison has its source, and every source its date."""

import re

import pytest

from house.sources import ROOT

PAGE = (ROOT / "docs/comparison.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.split("\n") if line.startswith("| ")]
HEAD = next(row for row in ROWS if row[:2] == ["", "taut"])
CELLS = [(row[0], name, cell) for row in ROWS if len(row) == len(HEAD) and row[1] and row is not HEAD
         for name, cell in zip(HEAD[2:], row[2:], strict=True)]  # fmt: skip
SOURCE = re.compile(r'^\| <a id="(\w+)"></a>\w+ \| ([\w, ]+) \| .+ \| (\d{4}-\d\d-\d\d) \|$', re.MULTILINE)
SOURCES = {key: program for key, program, _ in SOURCE.findall(PAGE)}


def test_all_programs_are_compared():
    asked = ["Exudyn", "MuJoCo", "Chrono", "CASPR", "MoorDyn, MoorPy", "Newton", "Simscape"]
    assert HEAD[2:] == asked and len(CELLS) >= 35 * len(asked)


@pytest.mark.parametrize("row", dict.fromkeys(row for row, _, _ in CELLS))
def test_cell_has_a_source_of_its_program(row):
    for _, name, cell in (found for found in CELLS if found[0] == row):
        shown = re.fullmatch(r"(?:yes|partly|no|open) \[(\w+)\]\(#(\w+)\)", cell)
        assert shown, (name, cell)
        assert shown[1].lower() == shown[2] and SOURCES[shown[2]].partition(",")[0] in name, (name, cell)


def test_every_source_is_used():
    used = {key for _, _, cell in CELLS for key in re.findall(r"#(\w+)\)", cell)}
    assert set(SOURCES) - used == {"t"}


def test_every_cell_of_taut_has_a_page_or_says_no():
    ours = [row[1] for row in ROWS if len(row) == len(HEAD) and row[1] not in ("", "taut")]
    assert all(cell.startswith(("[yes](", "[partly](", "no", "from a checkout")) for cell in ours)
