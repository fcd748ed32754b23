"""Pages made from the code are up to date and complete."""

import importlib

import pytest

from house.sources import ROOT
from taut.model import document, tables

PAGES = {"tables.md": "taut.model.document", "usage/keys.md": "taut.scenario.document"}


@pytest.mark.parametrize("page", PAGES)
def test_page_is_up_to_date(page):
    made = importlib.import_module(PAGES[page]).page()
    written = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert written == made, f"run: python -m {PAGES[page]} > docs/{page}"


def test_every_table_is_on_the_page():
    listed = [columns for _, columns in (*document.MODEL.values(), *document.WORKSPACES.values())]
    known = [
        value for value in vars(tables).values() if isinstance(value, tuple) and isinstance(value[0], tables.Column)
    ]
    assert all(columns in listed for columns in known) and len(listed) == len(known)
