"""Library machines at their default settings, cut to two seconds, and with other numbers: which audits fail, and why.

A variation takes one to three physical numbers of a scenario (masses, lengths, stiffnesses, dampings, gains,
amplitudes) times 0.03 to 30. Numbers that no machine can have, such as lengths with which loops do not close, are
drawn anew.
`python -m taut.verify.trust.variations COUNT [SEED [NUMBER ...]]` lists every failure, with its number, or how the
runs of these numbers end. `--judge` adds whether each failed audit is right, by runs at a hundredth and a thousandth of
the tolerance (``judged.py``); `--passes` judges the passed ones too; `--of NAME ...` draws from these machines alone.
`--library` runs every scenario of the library, or those of `--of`, whole and cut to two seconds instead.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from taut import library
from taut.build import build
from taut.integrate.simulate import simulate
from taut.scenario.errors import ScenarioError
from taut.scenario.io.yaml_text import read_yaml
from taut.verify.quantity import Quantity, at_most
from taut.verify.trust.judged import ALARM, RIGHT, UNSETTLED, WRONG, judged

COUNT, SEED = 100, 1
SHORT = 2.0  # duration of the runs [s]
LEAST, MOST = 0.03, 30.0
SLOW = ("wang-suspension", "suspension-six-ropes", "crane-flexible")  # scenarios whose runs take minutes each
KEYS = frozenset(
    "mass density mass_per_length length stiffness damping youngs_modulus radius viscous coulomb amplitude omega "
    "proportional derivative integral kp kd ki gain inertia armature drum_radius".split()
)
SOURCE = "every failed audit must be looked at"


def quantities() -> Iterator[Quantity]:
    """How many audits fail."""
    whole = list(failures((name, []) for name in quick_names()))
    yield at_most("library scenarios that fail", len(whole), 0, SOURCE)
    short = list(failures((name, cut(name)) for name in quick_names()))
    yield at_most(f"library scenarios cut to {SHORT:g} s that fail", len(short), 0, SOURCE)
    varied = list(failures(variations(COUNT, SEED)))
    yield at_most(f"of {COUNT} variations, those that fail on energy", sum("energy" in text for _, text in varied), 0,
                  SOURCE)  # fmt: skip


def quick_names() -> list[str]:
    """The scenarios that run in seconds."""
    return [name for name in library.names() if not name.startswith(SLOW)]


def cut(name: str) -> list[str]:
    """Settings that end a machine's run after two seconds, if it is longer."""
    return [f"run.duration={min(SHORT, library.load(name).run.duration)}"]


def variations(count: int, seed: int, of: Sequence[str] = ()) -> Iterator[tuple[str, list[str]]]:
    """Names of machines and settings that change their numbers."""
    random = np.random.default_rng(seed)
    names = list(of) or quick_names()
    made = 0
    while made < count:
        name = names[int(random.integers(len(names)))]
        numbers = physical_numbers(read_yaml(library.path(name).read_text(), name)[0])
        chosen = random.choice(len(numbers), min(len(numbers), int(random.integers(1, 4))), replace=False)
        factors = np.exp(random.uniform(np.log(LEAST), np.log(MOST), len(chosen)))
        changes = [f"{numbers[k][0]}={numbers[k][1] * f:.6g}" for k, f in zip(chosen, factors, strict=True)]
        settings = [*changes, f"run.duration={SHORT}"]
        if can_run(name, settings):
            made += 1
            yield name, settings


def physical_numbers(data: Any, path: str = "") -> list[tuple[str, float]]:
    """Paths and values of the numbers that may be varied."""
    found = []
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        here = f"{path}[{key}]" if isinstance(data, list) else f"{path}.{key}".lstrip(".")
        if isinstance(value, dict | list):
            found += physical_numbers(value, here)
        elif key in KEYS and isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            found.append((here, float(value)))
    return found


def can_run(name: str, settings: list[str]) -> bool:
    """Whether there is such a machine."""
    from taut.integrate.start.start_state import start_state

    try:
        start_state(build(library.load(name, settings)))
    except ScenarioError:
        return False
    return True


def failures(runs: Any) -> Iterator[tuple[str, str]]:
    """The runs whose audits fail, with the reasons."""
    for name, settings in runs:
        audit = simulate(build(library.load(name, settings))).audit
        if audit["verdict"] != "pass":
            yield " ".join([name, *settings]), "; ".join(audit["reasons"])


def main() -> int:
    """List the failures of variations, or how those of some numbers end; 1 if an audit is not right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=COUNT)
    parser.add_argument("seed", type=int, nargs="?", default=SEED)
    parser.add_argument("numbers", type=int, nargs="*")
    parser.add_argument("--of", nargs="+", default=())
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--passes", action="store_true")
    parser.add_argument("--library", action="store_true")
    asked = parser.parse_args()
    words: list[str] = []
    runs = whole_and_cut(asked.of or library.names()) if asked.library else None
    for number, (name, settings) in enumerate(runs or variations(asked.count, asked.seed, asked.of)):
        if not asked.numbers or number in asked.numbers:
            words.append(told(number, name, settings, asked))
        if number == max(asked.numbers, default=-1):
            break
    print(", ".join(f"{words.count(word)} {word}" for word in sorted(set(words))))
    return int(any(word in words for word in (ALARM, WRONG, UNSETTLED)))


def whole_and_cut(names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Every scenario as it is, and cut to two seconds if it is longer."""
    for name in names:
        yield name, []
        if library.load(name).run.duration > SHORT:
            yield name, cut(name)


def told(number: int, name: str, settings: list[str], asked: argparse.Namespace) -> str:
    """Say how one variation ends and, if asked, whether its audit is right; returns the verdict on it."""
    begin, model = time.perf_counter(), build(library.load(name, settings))
    result = simulate(model)
    found, seconds = result.audit["verdict"], time.perf_counter() - begin
    is_judged = asked.passes or (asked.judge and found != "pass")
    why = judged(model, result) if is_judged else None
    text = [str(number), f"{seconds:.1f} s", name, *settings, "|", found, *result.audit["reasons"]]
    is_said = found != "pass" or asked.numbers or (why is not None and why.verdict != RIGHT)
    text += ["|", str(why)] if why is not None else []
    # progress goes elsewhere than the answer
    print(*text, flush=True, file=sys.stdout if is_said else sys.stderr)
    return f"{found}: {why.verdict}" if why is not None and why.verdict == RIGHT else why.verdict if why else found


if __name__ == "__main__":
    sys.exit(main())
