"""Sections of scenarios in the documentation, each put into a machine that it could belong to."""

from house.pages import blocks
from taut import library
from taut.scenario.io.yaml_text import read_yaml

BOX = {"taut": 1, "platform": {"mass": 5, "box": [0.6, 0.4, 0.2], "position": [0, 0, 1]}}
CABLE = {"elements": 4, "radius": 2e-3, "mass_per_length": 0.05, "youngs_modulus": 1e9, "damping": 1e7}
ROPES = {
    **BOX,
    "defaults": {"cable": CABLE},
    "cables": [
        {"name": "left", "exit": [-0.3, 0, 3], "anchor": [-0.3, 0, 0.1]},
        {"name": "right", "exit": [0.3, 0, 3], "anchor": [0.3, 0, 0.1]},
    ],
}
SWAY = {"taut": 1, "signals": {"sway": "0.01*sin(t)", "eccentric": "0.001*sin(t)"},
        "drivers": {"hoist": {"kind": "winch", "payout": "0.1*t"}}}  # fmt: skip
TROLLEY = {"taut": 1, "drivers": {"hoisting": {"kind": "winch", "payout": "0.1*t"}}, "bodies": {
    "trolley": {"mass": 300, "box": [1, 1, 1], "joint": {"kind": "prismatic", "axis": [1, 0, 0], "origin": [9, 0, 30]}},
    "hook": {"mass": 150, "box": [0.5, 0.3, 0.5], "position": [10, 0, 14]}}}  # fmt: skip
# machines around sections that name what stands elsewhere on their page
AROUND = {
    ("docs/cranes.md", "crane"): {"taut": 1, "signals": {"push": 0.0, "rope": {"kind": "constant", "value": 5.0}}},
    ("docs/suspension.md", "platform"): SWAY,
    ("docs/usage/drive.md", "drivers"): {**BOX, "cables": [{**CABLE, "name": "C1", "winch": "W1", "exit": [0, 0, 4],
                                                            "anchor": [0, 0, 0.1]}]},
    ("docs/usage/drive.md", "events"): "mamidi-quadcopter-failure",
    ("docs/usage/manipulators.md", "motion"): "stewart-actuated",
    ("docs/usage/control.md", "controllers"): "winch-robot-circle",
    ("docs/usage/control.md", "robot"): BOX,
    ("docs/usage/massless.md", "platform"): {"taut": 1},
    ("docs/usage/ropes.md", "cables"): TROLLEY,
    ("docs/usage/ropes.md", "signals"): {"taut": 1},
}  # fmt: skip
GROWS = ("docs/usage/control.md",)  # pages whose sections are put into one machine, as far as they fit together


def section_scenarios(page: str) -> list[dict]:
    """The scenarios of a page: every block of YAML in its machine; broken ones, with a file name, are for commands."""
    found, grown = [], {"taut": 1}
    for number, (kind, text) in enumerate(blocks(page)):
        if kind != "yaml" or text.strip().partition("\n")[0].endswith(".yaml"):
            continue
        section = read_yaml(text, page)[0]
        around = machine_around(page, section, grown)
        grown = joined(grown, section) if page in GROWS and "robot" not in section else grown
        found.append({**around, **section, "name": f"{'-'.join(section)[:30]}-{number}"})
    return found


def joined(first: dict, second: dict) -> dict:
    """Two sections of a scenario as one: named records of both, the second's where both have the name."""
    both = {key: {**first[key], **second[key]} for key in first if isinstance(second.get(key), dict)}
    return {**first, **second, **both}


def machine_around(page: str, section: dict, grown: dict) -> dict:
    """What a section is put into."""
    first = next(iter(section))
    if page in GROWS and "lead" not in section.get("controllers", {}) and first != "robot":
        return grown
    has_own = "cables" in section and not page.endswith("scenario.md")
    around = AROUND.get((page, first), BOX if has_own else ROPES)
    if isinstance(around, str):
        return read_yaml(library.path(around).read_text(encoding="utf-8"), around)[0]
    return around
