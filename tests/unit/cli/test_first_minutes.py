"""What a newcomer types first: taut alone, init of a robot of one's own, completion, errors that name their page."""

import json
import os
import re
import subprocess
import sys

import pytest

from command_line import call as run
from house.sources import ROOT
from taut.cli import app
from taut.cli.completion import complete_file
from taut.cli.greeting import NEXT
from taut.cli.pages import SECTIONS
from taut.library import names, templates
from taut.scenario.scenario import Scenario

COMMANDS = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
ROBOTS = ["4-cable-planar", "4-cable-suspended", "8-cable"]


def test_taut_alone_says_what_to_do_next():
    answer = run()
    assert answer.exit_code == 0 and len(answer.stdout.split("\n")) < 12
    assert all(command in answer.stdout for command in NEXT)
    assert {command.split()[1] for command in NEXT} <= COMMANDS | {"--help"}


def test_greeting_needs_no_compiler():
    code = "import sys; from taut.cli import app; app([], standalone_mode=False); assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_robots_are_those_that_help_names():
    assert templates.robots() == ROBOTS
    assert all(name in run("init", "--help").stdout.replace("│", "") for name in ROBOTS)


@pytest.mark.parametrize("choice", [*(["--robot", name] for name in ROBOTS), ["--crane"]], ids=lambda words: words[-1])
def test_init_writes_a_machine_that_is_clean_and_commented(choice, tmp_path):
    file = tmp_path / "mine.yaml"
    assert run("init", *choice, str(file)).exit_code == 0
    summary = json.loads(run("check", str(file), "--json").stdout)
    assert summary["ok"] and not summary["warnings"] and summary["name"].startswith("my ")
    assert file.read_text(encoding="utf-8").count("#") > 15
    assert run("init", *choice, str(file)).exit_code == 2, "a file must not be replaced"


@pytest.mark.slow
@pytest.mark.parametrize("name", [*ROBOTS, templates.CRANE])
def test_template_runs_and_its_audit_passes(name, tmp_path):
    answer = run("run", str(templates.path(name)), "-o", str(tmp_path / "run.nc"), "--json")
    assert answer.exit_code == 0 and json.loads(answer.stdout)["audit"]["verdict"] == "pass"


@pytest.mark.slow
def test_eight_cable_robot_follows_its_path(tmp_path):
    import taut

    result = taut.simulate(taut.build(taut.load(templates.path("8-cable"))))
    place = result["platform_position"]
    assert abs(place.sel(time=2.5, method="nearest").values - [0, 0.6, 1.4]).max() < 0.01
    # tension limits from the template
    assert result["cable_tension_exit"].min() > 50 and result["cable_tension_exit"].max() < 3000


@pytest.mark.parametrize("name", [*ROBOTS, templates.CRANE])
def test_what_stands_behind_a_hash_can_be_used(name, tmp_path):
    """The failure or force that a template proposes is a valid one."""
    text = templates.path(name).read_text(encoding="utf-8")
    proposed, count = re.subn(r"^# (failures|forces):", r"\1:", text, flags=re.MULTILINE)
    proposed = re.sub(r"^(  )#   (drum|servo):", r"\1\2:", proposed, flags=re.MULTILINE)
    (tmp_path / "other.yaml").write_text(proposed, encoding="utf-8")
    assert count == 1 and run("check", str(tmp_path / "other.yaml")).exit_code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--robot", "6-cable"], "known: 4-cable-planar, 4-cable-suspended, 8-cable"),
        (["--robot", "8-cable", "--crane"], "exclude each other"),
        (["ipanema-3", "--robot", "8-cable"], "nothing is copied"),
        (["a.yaml", "b.yaml", "--crane"], "nothing is copied"),
        ([], "taut list"),
    ],
)
def test_init_refuses(words, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = run("init", *words)
    assert answer.exit_code == 2 and told in answer.stderr and not list(tmp_path.iterdir())


def complete(*words):
    """What bash is offered for a command line that ends where the cursor stands."""
    asked = {"_TAUT_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    code = "from taut.cli import app; app(prog_name='taut')"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **asked}, capture_output=True, text=True)
    return done.stdout.split()


def test_completion_of_commands_files_and_robots():
    assert complete("taut", "doc") == ["doctor"]
    assert complete("taut", "run", "ipanema") == ["ipanema", "ipanema-1", "ipanema-2", "ipanema-3"]
    assert complete("taut", "init", "--robot", "4") == ["4-cable-planar", "4-cable-suspended"]


def test_completion_of_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    for name in ("mine.yaml", "notes.txt", "runs/mine.nc", ".hidden.yaml"):
        (tmp_path / name).touch()
    assert complete_file("mi") == ["mine.yaml"] and complete_file("ru") == ["runs/"]
    assert complete_file("runs/") == ["runs/mine.nc"]
    assert complete_file("") == [*names(), "mine.yaml", "runs/"]


def test_every_section_has_a_page():
    assert set(Scenario.model_fields) <= set(SECTIONS)


@pytest.mark.parametrize("page", sorted(set(SECTIONS.values())))
def test_page_of_a_section_is_there(page):
    file, _, anchor = page.partition("#")
    headings = re.findall(r"^#+ (.*)$", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert not anchor or anchor in [re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-")) for heading in headings]


def test_errors_name_their_page():
    wrong = run("check", "double-pendulum", "--set", "bodies.upper.mass=-1", "--json")
    assert wrong.stderr.rstrip().endswith("see docs/usage/scenario.md#bodies")
    assert json.loads(wrong.stdout)["problems"][0]["page"] == "docs/usage/scenario.md#bodies"
    assert "see docs" not in run("check", "no-such-machine").stderr
