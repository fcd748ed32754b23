"""The page docs/reference/python.md: the public names of taut, each rendered from its docstring when the site is built.

Usage: python docs/generate/interface.py > docs/reference/python.md
"""

import taut

INTRODUCTION = """# Python interface

Every public name of `taut` with its signature and units, made from the docstrings; the list is made by
`python docs/generate/interface.py > docs/reference/python.md`. [Use it from Python](../usage/python.md) shows them at
work. What is not on this page may change without notice; [the policy](../policy.md) says what happens to what is.
"""
GROUPS = {
    "Describe": ("Machine", "Scenario", "ScenarioError", "load", "library"),
    "Build and start": (
        "build", "Model", "with_numbers", "describe", "start_state", "Data", "Factor", "new_data", "new_factor",
    ),
    "Run": ("simulate", "simulate_batch", "Stepper", "StepError", "Result", "ResultError", "open_result", "verify"),
    "Analyse": ("statics", "modes", "forward_dynamics", "inverse_dynamics", "Actuation", "inverse_motion", "reduce"),
    "Studies": ("study", "sweep", "open_study"),
}  # fmt: skip
# modules among the public names: what they offer is listed one by one
MODULES = {
    "library": ("load", "names", "path"),
    "robots": tuple(taut.robots.__all__),
}


def page() -> str:
    """The page as Markdown."""
    if differ := {name for names in GROUPS.values() for name in names} ^ (set(taut.__all__) - {"robots"}):
        raise ValueError(f"GROUPS of docs/generate/interface.py and taut.__all__ differ in {sorted(differ)}")
    parts = [INTRODUCTION]
    for group, names in GROUPS.items():
        parts.append(f"## {group}\n")
        for name in names:
            parts += members(name) if name in MODULES else [entry("taut", name)]
    return "\n".join([*parts, "## Cable robots\n", *members("robots")])


def members(module: str) -> list[str]:
    """The names of a module."""
    return [entry(f"taut.{module}", name) for name in MODULES[module]]


def entry(package: str, name: str) -> str:
    """A directive for mkdocstrings, under the name by which users know it."""
    home = __import__(package, fromlist=[name])
    value = getattr(home, name)
    return f"::: {value.__module__}.{value.__qualname__}\n    options:\n      heading: {package}.{name}\n"


if __name__ == "__main__":
    print(page(), end="")
