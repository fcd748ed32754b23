"""Pages made from the code are up to date and complete."""

import re
import runpy

import pytest
from typer.testing import CliRunner

from house.sources import ROOT
from taut.cli import app
from taut.model import tables
from taut.results.channels import CHANNELS

PAGES = {
    "tables.md": "tables",
    "usage/keys.md": "keys",
    "usage/results.md": "results",
    "reference/commands.md": "commands",
    "reference/python.md": "interface",
}


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


def test_every_option_of_help_is_on_the_page_of_commands():
    text = (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")
    sections = {part.partition("\n")[0]: part for part in text.split("\n### taut ")[1:]}
    for name, section in sections.items():
        shown = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "200", "TERM": "dumb"}).output
        options = set(re.findall(r"(?<=\s)--[a-z][a-z-]+", shown.partition("Options")[2])) - {"--help"}
        assert options or name == "schema", (name, shown)
        assert all(option in section for option in options), (name, options)


def test_every_table_is_on_the_page():
    made = generator("tables")
    listed = [columns for _, columns in (*made["MODEL"].values(), *made["WORKSPACES"].values())]
    known = [
        value for value in vars(tables).values() if isinstance(value, tuple) and isinstance(value[0], tables.Column)
    ]
    assert all(columns in listed for columns in known) and len(listed) == len(known)
