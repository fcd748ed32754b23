"""What the shell offers where a file or a name is typed, once `taut --install-completion` has been said.

A function that completes is asked by a new process at every press of the tab key: nothing slow is imported here.
"""

from collections.abc import Iterator
from pathlib import Path

LIBRARY = Path(__file__).parent.parent / "library"
SUFFIXES = (".yaml", ".yml", ".nc")


def complete_file(incomplete: str) -> list[str]:
    """Library scenarios, and files that commands take, with the folders on the way to them."""
    return [*complete_library(incomplete), *files(incomplete)]


def complete_library(incomplete: str) -> list[str]:
    """Names of library scenarios that begin with the text typed."""
    return sorted(file.stem for file in LIBRARY.glob("*.yaml") if file.stem.startswith(incomplete))


def complete_robot(incomplete: str) -> list[str]:
    """Names of robot templates that begin with the text typed."""
    from taut.library.templates import robots

    return [name for name in robots() if name.startswith(incomplete)]


def files(incomplete: str) -> Iterator[str]:
    """Scenarios, results and folders whose path begins as typed."""
    folder, _, begin = incomplete.rpartition("/")
    lead = f"{folder}/" if "/" in incomplete else ""
    place = Path(lead or ".")
    for found in sorted(place.iterdir()) if place.is_dir() else ():
        is_hidden = found.name.startswith(".") and not begin.startswith(".")
        if found.name.startswith(begin) and not is_hidden and (found.is_dir() or found.suffix in SUFFIXES):
            yield f"{lead}{found.name}{'/' if found.is_dir() else ''}"
