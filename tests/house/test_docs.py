"""What the pages of the documentation show is what happens: their code runs and prints what is printed there."""

import contextlib
import io
import shlex

import pytest
from typer.testing import CliRunner

import taut
from house.pages import blocks
from taut.cli import app
from taut.scenario.reading import make_scenario
from taut.scenario.yaml_text import read_yaml

SECTIONS = [read_yaml(text, "scenario.md")[0] for kind, text in blocks("docs/usage/scenario.md") if kind == "yaml"]
PAGES = [
    "docs/usage/scenario.md",
    "docs/usage/python.md",
    "docs/usage/control.md",
    "docs/cranes.md",
    "docs/usage/rest.md",
    "docs/usage/errors.md",
    "docs/validation.md",
    "docs/usage/choosing-an-integrator.md",
]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: " ".join(section)[:40])
def test_sections_of_a_scenario(section):
    model = taut.build(make_scenario({**SECTIONS[0], **section}))
    assert taut.start_state(model).error < 1e-9


@pytest.mark.parametrize("page", PAGES)
def test_programs_print_what_the_page_says(page):
    names, printed = {}, None
    for kind, text in blocks(page):
        if kind == "python":
            printed = run_python(text, page, names)
        elif kind == "text" and printed is not None:
            assert printed == text.strip()
            printed = None


@pytest.mark.parametrize("page", PAGES)
def test_commands_answer_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for kind, text in blocks(page):
        first = text.strip().partition("\n")[0]
        if kind == "yaml" and first.endswith(".yaml"):
            (tmp_path / first.removeprefix("# ")).write_text(text.strip(), encoding="utf-8")
        if kind == "console":
            for session in text.strip().removeprefix("$ ").split("\n$ "):
                check_session(*session.partition("\n")[::2])


def run_python(text, page, names):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(text, page, "exec"), names)
    return out.getvalue().strip()


def check_session(command, answer):
    """A `taut` command gives the answer printed below it; without one it must succeed."""
    program, *arguments = shlex.split(command, comments=True)
    if program == "taut" and arguments[0] != "bench":
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == (2 if answer else 0)
        # the first run by an integrator on a machine says that it compiles
        said = [line for line in result.stderr.split("\n") if not line.startswith("compiling ")]
        assert "\n".join(said).strip() == answer.strip()
