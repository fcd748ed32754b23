"""Commands of the documentation, run as a reader would type them.

A command that would take long runs with settings behind it that make it shorter, never with others than it has; `FILE`
stands for a library scenario.
"""

import re
import shlex

from typer.testing import CliRunner

from house.sources import ROOT
from taut.cli import app

# tutorials are run as notebooks: tests/examples/test_tutorials.py
DOCS = [path for path in (ROOT / "docs").rglob("*.md") if path.parent.name != "tutorials"]
PAGES = ["README.md", *sorted(str(path.relative_to(ROOT)) for path in DOCS)]
FILE = "mamidi-pick-and-place"
SMALL_ROPE = "--set cables.rope.elements=4 --set run.duration=1"
SHORTER = {
    "taut verify": "pendulum",
    "taut plot": "--group motion",
    "taut serve": "--port 0 --for 0.2",
    "taut serve crane-2d": "--for 0.2",
    "taut animate": "--size 160x90 --fps 1",
    "taut invdyn six-rss-heave": "--set run.duration=0.1",
    "taut spaces stewart-free-fall --table": "--set run.duration=0.02",
    "taut reduce crane-heavy-rope": f"{SMALL_ROPE} --shapes 2",
    "taut run crane-heavy-rope": SMALL_ROPE,
    "taut reduce tempel-planar": "--set defaults.cable.elements=2 --set run.duration=0.2 --points 2",
    "taut run tempel-planar": "--set defaults.cable.elements=2 --set run.duration=0.2",
    "taut modes wang-suspension": "--along 2 --count 4",
    "taut run ball-on-ground": "--duration 0.5",
    "taut run snap-loads": "--duration 0.05",
    "taut run cable-snatch": "--duration 0.05",
    "taut run mamidi-pick-and-place --integrator": "--duration 0.1",
    "taut run mamidi-pick-and-place-table2": "--duration 0.1",
    "taut run stewart": "--duration 0.05",
    "taut run driven.yaml": "--duration 0.05",
    "taut sweep crane-study.yaml": "--set design.count=4 --workers 1",
}
# what runs elsewhere as a test of its own: `taut verify CASE` in tests/papers, the benchmarks in tests/unit/bench
NAMED = ("verify", "bench")
TARGET = re.compile(r"^([a-z]+):", re.MULTILINE)


def sessions(text: str) -> list[tuple[str, str]]:
    """The commands of a block, each with the answer that is printed below the command."""
    parts = [session.partition("\n") for session in text.strip().removeprefix("$ ").split("\n$ ")]
    return [(command, answer.strip()) for command, _, answer in parts]


def shortened(command: str) -> list[str]:
    """The words of a command, with settings that make the command quick."""
    words = shlex.split(command.replace("FILE", FILE), comments=True)
    plain = " ".join(words)
    longest = max((start for start in SHORTER if plain.startswith(start)), key=len, default="")
    more = shlex.split(SHORTER.get(longest, ""))
    # what the command says itself stays; a setting may stand beside others
    is_said = more[:1] != ["--set"] and more[:1] and more[0] in words
    return words if is_said or plain.startswith("taut verify ") else [*words, *more]


def check_session(command: str, answer: str) -> None:
    """A command gives the answer that the page shows, and succeeds if none is shown."""
    program, *arguments = shortened(command)
    if program == "make":
        assert set(arguments) <= set(TARGET.findall((ROOT / "Makefile").read_text(encoding="utf-8"))), command
    elif program.endswith("pytest"):
        assert all((ROOT / word).exists() for word in arguments if not word.startswith("-")), command
    else:
        assert program == "taut", f"nothing here runs {program!r}: {command}"
        check_taut(arguments, answer, command)


def check_taut(arguments: list[str], answer: str, command: str) -> None:
    """One command of taut itself."""
    if arguments == ["compile"]:  # takes minutes; tests/unit/cli/commands/engine/test_compile.py
        return
    if arguments and arguments[0] in NAMED and arguments[1:2] != ["pendulum"]:
        assert_is_known(*arguments[:2])
        return
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == (2 if answer else 0), (command, result.output)
    # the first run by an integrator on a machine says that it compiles
    said = [line for line in result.stderr.split("\n") if not line.startswith("compiling ")]
    if answer:
        assert "\n".join(said).strip() == answer


def assert_is_known(command: str, name: str) -> None:
    """There is such a case or benchmark, and its module can be loaded."""
    from importlib import import_module

    from taut.bench import BENCHMARKS, find_benchmark
    from taut.verify.cases import CASES

    if command == "verify":
        assert callable(import_module(f"taut.verify.{CASES[name].module}").quantities)
    else:
        assert name in BENCHMARKS and callable(find_benchmark(name).run)
