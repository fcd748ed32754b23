"""What README and documentation show is what happens: code, commands and sections of scenarios, on every page."""

import contextlib
import io

import pytest

import taut
from house.pages import blocks
from house.sections import section_scenarios
from house.sessions import PAGES, check_session, sessions
from taut.scenario.io.reading import make_scenario
from taut.verify import CASES

WITH_YAML = {page: section_scenarios(page) for page in PAGES}
SECTIONS = [(page, data) for page, found in WITH_YAML.items() for data in found]


@pytest.mark.parametrize(("page", "data"), SECTIONS, ids=lambda part: part if isinstance(part, str) else part["name"])
def test_sections_of_a_scenario(page, data):
    model = taut.build(make_scenario(data))
    assert taut.start_state(model).error < 1e-9, page


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if {"python", "console"} & {kind for kind, _ in blocks(page)}])
def test_programs_and_commands_do_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # a page in the browser stays open until Ctrl-C: here it ends at once
    monkeypatch.setattr("webbrowser.open", lambda *args, **kwargs: True)
    monkeypatch.setattr("taut.views.player.wait_for_end", lambda opened: opened.close())
    names, printed = {}, ""
    for kind, text in blocks(page):
        first = text.strip().partition("\n")[0]
        if kind == "yaml" and first.endswith(".yaml"):
            (tmp_path / first.removeprefix("# ")).write_text(text.strip(), encoding="utf-8")
        if kind == "text" and printed:
            assert printed == text.strip()
            printed = ""
        assert not printed, "what a program prints is not shown"
        if kind == "python":
            printed = run_python(text, page, names)
        for command, answer in sessions(text) if kind == "console" else ():
            check_session(command, answer)
    assert not printed


def test_every_block_has_a_language_that_is_tested():
    kinds = {kind for page in PAGES for kind, _ in blocks(page)}
    assert kinds <= {"python", "text", "yaml", "console"}


def test_every_case_of_verify_is_on_its_page():
    page = "\n".join(text for text in open_page("docs/usage/running.md") if text.startswith("| `"))
    missing = [name for name in CASES if f"| `{name}` |" not in page]
    assert not missing


def test_every_method_of_a_machine_is_on_its_page():
    page = "\n".join(open_page("docs/usage/python.md"))
    methods = [name for name, value in vars(taut.Machine).items() if callable(value) and not name.startswith("_")]
    assert all(f"`{name}(" in page for name in methods), [name for name in methods if f"`{name}(" not in page]


def open_page(page):
    from house.sources import ROOT

    return (ROOT / page).read_text(encoding="utf-8").split("\n")


def run_python(text, page, names):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(text, page, "exec"), names)
    return out.getvalue().strip()
