"""Python and the packages that taut needs or can use, against what its own metadata asks for."""

import platform
import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from .finding import Finding

EXTRA = re.compile(r"""extra == ['"]([\w-]+)['"]""")
# purpose of each optional group of packages; groups for developers are not checked
EXTRAS = {
    "view": "taut view, films of taut animate",
    "studies": "taut sweep, fit and optimize",
    "loop": "taut fmu, environments, linear models for python-control",
    "mujoco": "taut import of MJCF",
    "bench": "other engines, for taut bench",
}
REINSTALL = "python -m pip install --upgrade taut"


def look_at_taut() -> Iterator[Finding]:
    """Version and place of taut, and the Python that runs it."""
    import taut

    yield Finding("taut", "ok", f"{taut.__version__} in {Path(taut.__file__).parent}")
    yield Finding("python", "ok", f"{platform.python_version()}, {platform.system()} {platform.machine()}")


def look_at_packages() -> Iterator[Finding]:
    """Every package that taut cannot do without, and the compiler below numba."""
    needed, _ = requirements()
    if not needed:
        yield Finding("packages", "warn", "taut is not installed, it runs from its sources",
                      "python -m pip install --editable . in the folder of pyproject.toml")  # fmt: skip
    for text in [*needed, "llvmlite"]:
        name, found, complaint = compare(text)
        yield Finding(name, "FAIL" if complaint else "ok", complaint or found, REINSTALL if complaint else "")


def look_at_extras() -> Iterator[Finding]:
    """Look for the optional packages, by extra."""
    _, extras = requirements()
    for extra, purpose in EXTRAS.items():
        if extra not in extras:
            continue
        complaints = [f"{name} {complaint}" for name, _, complaint in map(compare, extras[extra]) if complaint]
        remedy = f"if you want it: python -m pip install 'taut[{extra}]'" if complaints else ""
        value = f"{purpose}: {', '.join(complaints) or 'there'}"
        yield Finding(f"[{extra}]", "note" if complaints else "ok", value, remedy)


def requirements() -> tuple[list[str], dict[str, list[str]]]:
    """Required packages, and those of each extra; empty where taut is not installed as a package."""
    try:
        texts = metadata.requires("taut") or []
    except metadata.PackageNotFoundError:
        return [], {}
    needed: list[str] = []
    extras: dict[str, list[str]] = {}
    for text in texts:
        wanted, _, marker = text.partition(";")
        extra = EXTRA.search(marker)
        (extras.setdefault(extra[1], []) if extra else needed).append(wanted.strip())
    return needed, extras


def compare(requirement: str) -> tuple[str, str, str]:
    """Name, version found, and what is wrong with it."""
    from packaging.requirements import Requirement

    wanted = Requirement(requirement)
    try:
        found = metadata.version(wanted.name)
    except metadata.PackageNotFoundError:
        return wanted.name, "", "is missing"
    is_right = wanted.specifier.contains(found, prereleases=True)
    return wanted.name, found, "" if is_right else f"{found} is not {wanted.specifier}"
