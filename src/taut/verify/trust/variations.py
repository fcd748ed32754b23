"""Library machines at their default settings, cut to two seconds, and with other numbers: which audits fail, and why.

A variation takes one to three physical numbers of a scenario (masses, lengths, stiffnesses, dampings, gains,
amplitudes) times 0.03 to 30. Numbers that no machine can have, such as lengths with which loops do not close, are
drawn anew.
`python -m taut.verify.trust.variations COUNT [SEED]` lists every failure, with its number;
`... COUNT SEED NUMBER ...` runs those of these numbers alone.
"""

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from taut import library
from taut.build import build
from taut.integrate.simulate import simulate
from taut.scenario.errors import ScenarioError
from taut.scenario.io.yaml_text import read_yaml
from taut.verify.quantity import Quantity, at_most

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


def variations(count: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Names of machines and settings that change their numbers."""
    random = np.random.default_rng(seed)
    names = quick_names()
    made = 0
    while made < count:
        name = names[random.integers(len(names))]
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


def main(count: int, seed: int = SEED, *only: int) -> None:
    """List the failures of variations, or how those of some numbers end."""
    for number, run in enumerate(variations(count, seed)):
        if not only or number in only:
            found = [why for _, why in failures([run])]
            if found or only:
                print(number, run[0], *run[1], "|", *(found or ["pass"]), flush=True)
        if only and number == max(only):
            break


if __name__ == "__main__":
    main(*(int(text) for text in sys.argv[1:]))
