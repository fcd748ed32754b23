"""The file THIRD_PARTY.md: what taut needs, and under which licence, as the installed packages say.

Usage: python docs/generate/notices.py > THIRD_PARTY.md
"""

import re
import tomllib
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[2]
INTRODUCTION = """# Third-party notices

taut contains no code of others. It needs the packages below, which pip or conda installs beside it, each under its own
licence; whoever ships them together with taut (an image, an installer) ships these licences, too. Made by
`python docs/generate/notices.py > THIRD_PARTY.md` from what the packages say about themselves.

| package | for | licence |
|---|---|---|
"""
# extras that are no part of what a user installs
TOOLS = ("dev", "docs", "bench")


def requirements() -> dict[str, str]:
    """Every package that is needed, and what for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"taut itself": project["dependencies"], **project["optional-dependencies"]}
    found: dict[str, str] = {}
    for group, names in groups.items():
        for requirement in names if group not in TOOLS else ():
            name = re.match(r"[\w.-]+", requirement)
            if name:
                found.setdefault(name[0], group if group == "taut itself" else f"`taut[{group}]`")
    return found


def licence(name: str) -> str:
    """What a package says about its licence, in a few words."""
    about = metadata.metadata(name)
    if said := about.get("License-Expression"):
        return said
    classifiers = [line for line in about.get_all("Classifier") or () if line.startswith("License ::")]
    if classifiers:
        return ", ".join(line.rpartition(" :: ")[2] for line in classifiers)
    return (about.get("License") or "see its own files").strip().partition("\n")[0]


def page() -> str:
    """The file as Markdown."""
    return INTRODUCTION + "".join(f"| {name} | {what} | {licence(name)} |\n" for name, what in requirements().items())


if __name__ == "__main__":
    print(page(), end="")
