"""Compiled code that came with the package: a wheel may hold it for a family of processors.

numba names the processor in the key of every piece of code, so that code for a model of processors in general, such as
x86-64-v3, is not found by a process that compiles for its own. Here such code is looked up by the key that it was made
under, if this computer has the instructions that it needs. Code in the folder of the user goes first, and what is not
found in either place is compiled. ``packaging/make_wheel.py`` writes the folder.
"""

import json
import platform
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "_compiled"
ABOUT = "about.json"  # file in the folder of compiled code that says for which target it was made
# instructions of the model x86-64-v3, by LLVM's names
NEEDED = {
    "x86-64-v3": "avx avx2 bmi bmi2 cx16 f16c fma lzcnt movbe popcnt sahf sse3 sse4.1 sse4.2 ssse3 xsave".split(),
}

Target = tuple[str, str, str]  # system, processor and features, as numba writes them into its keys


@cache
def shipped_target(folder: Path = FOLDER) -> Target | None:
    """Target of the compiled code in the package; None if there is none for this computer."""
    try:
        about = json.loads((folder / ABOUT).read_text())
    except (OSError, ValueError):
        return None
    return tuple(about["target"]) if is_fit(about) else None


def is_fit(about: dict[str, Any]) -> bool:
    """Whether this process can run code of such a description."""
    import llvmlite.binding as llvm
    import numba
    from numba.core import config

    system, processor, features = about["target"]
    if about["numba"] != numba.__version__ or about["python"] != python_version():
        return False
    if config.CPU_NAME is not None or config.CPU_FEATURES is not None:  # pyright: ignore[reportAttributeAccessIssue]
        # the user has asked numba for code of this processor and these features
        return (config.CPU_NAME, config.CPU_FEATURES) == (processor, features)  # pyright: ignore[reportAttributeAccessIssue]
    has = llvm.get_host_cpu_features()
    # compare LLVM's target triple, which numba writes too, and the features of this processor
    return system == llvm.get_process_triple() and all(has.get(name) for name in NEEDED[processor])


def python_version() -> str:
    """Compiled code is bound to a minor version of Python."""
    return ".".join(platform.python_version_tuple()[:2])


def describe(target: Target) -> dict[str, Any]:
    """The description of a folder of code made by this process."""
    import numba

    return {"target": list(target), "numba": numba.__version__, "python": python_version()}


def shipped_index(files: Any) -> dict[Any, str]:
    """Keys and names of the code that came with the package for a function, by numba's reader for its folder."""
    return {} if shipped_target() is None else files._load_index()


def load_shipped(files: Any, key: Any) -> Any:
    """The code for a key of this process, as numba keeps it; None if it did not come with the package."""
    target = shipped_target()
    if target is None:
        return None
    signature, _, hashes = key
    return files.load((signature, target, hashes))
