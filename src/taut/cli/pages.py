"""Which page of the documentation explains a section of a scenario."""

import re
from collections.abc import Iterable

from taut.scenario.errors import Problem

MOST_PAGES = 3  # most pages named with one error; more would hide the error itself
SCENARIO, CONTROL = "docs/usage/scenario.md", "docs/usage/control.md"
SECTIONS = {
    "taut": SCENARIO,
    "name": SCENARIO,
    "description": SCENARIO,
    "gravity": SCENARIO,
    "planar": f"{SCENARIO}#planar-machines",
    "signals": f"{SCENARIO}#signals",
    "platform": f"{SCENARIO}#bodies",
    "bodies": f"{SCENARIO}#bodies",
    "joint": f"{SCENARIO}#joints",  # a key of the section ``defaults``
    "crane": "docs/cranes.md#describe-one",
    "robot": "docs/usage/ropes.md#a-robot-in-one-record",
    "cables": f"{SCENARIO}#cables",
    "cable": f"{SCENARIO}#cables",  # a key of the section ``defaults``
    "closures": f"{SCENARIO}#closures",
    "springs": f"{SCENARIO}#springs-between-bodies",
    "drivers": f"{SCENARIO}#drivers",
    "forces": f"{SCENARIO}#forces",
    "ground": f"{SCENARIO}#ground",
    "events": f"{SCENARIO}#events",
    "measurements": f"{CONTROL}#measurements",
    "controllers": f"{CONTROL}#controllers",
    "motion": "docs/usage/manipulators.md",
    "failures": "docs/usage/drive.md#failures",
    "initial": f"{SCENARIO}#start",
    "run": "docs/usage/keys.md#run",
}
METHOD = re.compile(
    r"run\.(?:integrator|step|tolerance|unilateral|largest_step|generalized_alpha|explicit|nonsmooth_alpha|moreau_jean)\b"
)
METHODS = "docs/usage/choosing-an-integrator.md"
SECTION = re.compile(r"(?:defaults\.)?(\w+)")


def page_of(problem: Problem) -> str:
    """The page, and the heading on it; empty if the problem is not one of a section."""
    if METHOD.match(problem.path):
        return METHODS
    section = SECTION.match(problem.path)
    return SECTIONS.get(section[1], "") if section else ""


def pages_of(problems: Iterable[Problem]) -> list[str]:
    """The pages of several problems, each once, in their order."""
    return list(dict.fromkeys(filter(None, map(page_of, problems))))[:MOST_PAGES]
