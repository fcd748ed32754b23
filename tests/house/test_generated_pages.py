"""Pages made from the code are up to date and complete."""

import re
import runpy

import pytest

from house.sources import ROOT
from taut.model import tables
from taut.results.channels import CHANNELS

PAGES = {"tables.md": "tables", "usage/keys.md": "keys", "usage/results.md": "results"}


def generator(name):
    """The names of a script in docs/generate."""
    return runpy.run_path(str(ROOT / f"docs/generate/{name}.py"))


@pytest.mark.parametrize("page", PAGES)
def test_page_is_up_to_date(page):
    made = generator(PAGES[page])["page"]()
    written = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert written == made, f"run: python docs/generate/{PAGES[page]}.py > docs/{page}"


def test_every_variable_of_a_result_is_on_the_page():
    text = (ROOT / "docs/usage/results.md").read_text(encoding="utf-8")
    assert all(f"| `{channel.name}` | {', '.join(channel.dims)} |" in text for channel in CHANNELS)
    assert {dim for channel in CHANNELS for dim in channel.dims} <= set(re.findall(r"^\| `(\w+)`", text, re.MULTILINE))


def test_every_table_is_on_the_page():
    made = generator("tables")
    listed = [columns for _, columns in (*made["MODEL"].values(), *made["WORKSPACES"].values())]
    known = [
        value for value in vars(tables).values() if isinstance(value, tuple) and isinstance(value[0], tables.Column)
    ]
    assert all(columns in listed for columns in known) and len(listed) == len(known)
