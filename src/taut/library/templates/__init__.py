"""Beginnings of one's own machine: commented YAML files that run as they are."""

from pathlib import Path

FOLDER = Path(__file__).parent
CRANE = "crane"


def robots() -> list[str]:
    """Names of the robots to begin with, sorted."""
    return sorted(file.stem for file in FOLDER.glob("*.yaml") if file.stem != CRANE)


def path(name: str) -> Path:
    """The file of a template."""
    return FOLDER / f"{name}.yaml"
