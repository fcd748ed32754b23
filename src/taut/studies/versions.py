"""Whether a worker computes by the same code as the one who asked."""

import hashlib
import platform
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

# rooms on which no number of a run depends: client and workers may differ in them
WITHOUT_NUMBERS = ("bench", "cli", "studio", "verify", "views")
PACKAGE = Path(__file__).resolve().parent.parent


class VersionError(RuntimeError):
    """A worker has other code than the client."""


@cache
def own_versions() -> dict[str, str]:
    """Versions that decide on the last bit of a result; taut by the content of its sources."""
    digest = hashlib.sha256()
    for file in sorted(PACKAGE.rglob("*.py")):
        if file.relative_to(PACKAGE).parts[0] in WITHOUT_NUMBERS:
            continue
        digest.update(file.relative_to(PACKAGE).as_posix().encode() + b"\0" + file.read_bytes())
    found = {
        "taut": f"{import_module('taut').__version__} ({digest.hexdigest()[:8]})",
        "python": platform.python_version(),
    }
    return found | {name: version(name) for name in ("numpy", "numba", "scipy")}


def check_versions(asked: Mapping[str, str]) -> None:
    """Refuse to compute if anything differs.

    Raises:
        VersionError: with what is here and what was asked for.
    """
    here = own_versions()
    other = [
        f"{name} {here.get(name)} instead of {wanted}" for name, wanted in asked.items() if here.get(name) != wanted
    ]
    if other:
        raise VersionError(f"{platform.node()} has {', '.join(other)}")
