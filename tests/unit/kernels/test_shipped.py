"""Code that came with the package is found where it fits, and only there."""

import json
import os
import platform
import shutil
import subprocess
import sys

import pytest

from house.sources import PACKAGE
from taut.kernels import shipped
from taut.kernels.cache import own_temporary_folder

ENTRY = "from taut.kernels.jit import entry\n\n\n@entry\ndef answer(x):\n    return 2.0 * x + 1.0\n"
ASK = "from taut.dynamics.probe_entry import answer; print(answer(3.0), sum(answer.stats.cache_hits.values()))"
SHIP = """
import sys, pathlib
sys.path.insert(0, sys.argv[1])
import make_wheel
print(make_wheel.add_code(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])))
"""
NEWER = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""}
OLDER = {"NUMBA_CPU_NAME": "x86-64-v2", "NUMBA_CPU_FEATURES": ""}


@pytest.fixture
def copied(tmp_path):
    """A copy of taut with an entry."""
    package = tmp_path / "src" / "taut"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "*.nb?"))
    (package / "dynamics" / "probe_entry.py").write_text(ENTRY)
    return package


def python(package, cache, *arguments, **more):
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": str(cache), **more}
    command = [sys.executable, "-c", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="code for x86-64")
def test_code_that_came_along_is_used_by_processors_that_have_its_instructions(copied, tmp_path):
    made = tmp_path / "made"
    assert python(copied, made, ASK, **NEWER) == ["7.0", "0"]
    added = python(copied, made, SHIP, PACKAGE.parents[1] / "packaging", made / "taut", copied / "_compiled")
    assert added == ["1"]
    # otherwise the test would test nothing
    assert shipped.is_fit(json.loads((copied / "_compiled" / shipped.ABOUT).read_text()))
    assert python(copied, tmp_path / "empty", ASK) == ["7.0", "1"]
    assert python(copied, tmp_path / "older", ASK, **OLDER) == ["7.0", "0"]  # compiles for itself
    (copied / "dynamics" / "probe_entry.py").write_text(ENTRY.replace("2.0", "4.0"))
    assert python(copied, tmp_path / "edited", ASK) == ["13.0", "0"]


@pytest.mark.parametrize("change", [{"numba": "0.1"}, {"python": "3.1"}, {"target": ["other", "x86-64-v3", ""]}])
def test_code_of_other_versions_or_systems_is_left(change):
    import llvmlite.binding as llvm

    about = shipped.describe((llvm.get_process_triple(), "x86-64-v3", ""))
    assert not shipped.is_fit({**about, **change})


def test_a_folder_without_description_holds_no_code(tmp_path):
    assert shipped.shipped_target(tmp_path) is None
    (tmp_path / shipped.ABOUT).write_text("no JSON")
    assert shipped.shipped_target.__wrapped__(tmp_path) is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs owners of files")
def test_code_is_not_kept_where_others_can_write(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    mine = own_temporary_folder.__wrapped__()
    assert mine == tmp_path / f"taut-compiled-{os.getuid()}" and mine.stat().st_mode & 0o777 == 0o700
    mine.chmod(0o777)
    assert own_temporary_folder.__wrapped__() != mine
