"""Pages made from the code are up to date and complete."""

import importlib
import re

import pytest

from house.sources import ROOT
from taut.model import document, tables
from taut.results.channels import CHANNELS

PAGES = {"tables.md": "taut.model.document", "usage/keys.md": "taut.scenario.document",
         "usage/results.md": "taut.results.document"}  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_page_is_up_to_date(page):
    made = importlib.import_module(PAGES[page]).page()
    written = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert written == made, f"run: python -m {PAGES[page]} > docs/{page}"


def test_every_variable_of_a_result_is_on_the_page():
    text = (ROOT / "docs/usage/results.md").read_text(encoding="utf-8")
    assert all(f"| `{channel.name}` | {', '.join(channel.dims)} |" in text for channel in CHANNELS)
    assert {dim for channel in CHANNELS for dim in channel.dims} <= set(re.findall(r"^\| `(\w+)`", text, re.MULTILINE))


def test_every_table_is_on_the_page():
    listed = [columns for _, columns in (*document.MODEL.values(), *document.WORKSPACES.values())]
    known = [
        value for value in vars(tables).values() if isinstance(value, tuple) and isinstance(value[0], tables.Column)
    ]
    assert all(columns in listed for columns in known) and len(listed) == len(known)
