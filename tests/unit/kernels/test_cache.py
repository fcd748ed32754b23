"""Compiled code on disk belongs to the present sources, for any folder and any times of the files."""

import os
import shutil
import subprocess
import sys

import pytest

from house.sources import PACKAGE
from taut.kernels.cache import files_kind, imported_files, module_digest

PROBE_PART = "from taut.kernels.jit import part\n\n\n@part\ndef probe(x):\n    return 2.0 * x\n"
PROBE_ENTRY = (
    "from taut.kernels.jit import entry\nfrom taut.kernels.probe import probe\n\n\n"
    "@entry\ndef answer(x):\n    return probe(x) + 1.0\n"
)
ASK = "from taut.dynamics.probe_entry import answer; print(answer(3.0), sum(answer.stats.cache_hits.values()))"


@pytest.fixture
def copied(tmp_path):
    """A copy of taut with a kernel inlined into an entry in another file."""
    package = tmp_path / "src" / "taut"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "*.nb?"))
    (package / "kernels" / "probe.py").write_text(PROBE_PART)
    (package / "dynamics" / "probe_entry.py").write_text(PROBE_ENTRY)
    return package


def ask(package, cache, *, program=ASK, **more):
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": str(cache),
                   "PYTHONDONTWRITEBYTECODE": "1", **more}  # fmt: skip
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.slow
@pytest.mark.parametrize("plain", ["", "1"])
def test_an_edited_inlined_kernel_is_compiled_anew(copied, tmp_path, plain):
    cache, part = tmp_path / "elsewhere", copied / "kernels" / "probe.py"
    before = part.stat()
    assert ask(copied, cache, TAUT_PLAIN_NJIT=plain) == ["7.0", "0"]
    assert ask(copied, cache, TAUT_PLAIN_NJIT=plain) == ["7.0", "1"]
    part.write_text(PROBE_PART.replace("2.0", "4.0"))
    os.utime(part, ns=(before.st_atime_ns, before.st_mtime_ns))  # neither its size nor its time tells
    assert ask(copied, cache, TAUT_PLAIN_NJIT=plain) == ["13.0", "0"]
    assert not list(copied.rglob("*.nb?"))


LINK = "import numba; numba.njit(lambda x: answer(x))(3.0)"


@pytest.mark.slow
def test_code_from_the_disk_is_loaded_without_the_compiler_and_not_linked(copied, tmp_path):
    loaded = (
        f"import sys; {ASK}; print([name for name in ('numba.np.arraymath', 'scipy.linalg') if name in sys.modules])"
    )
    assert ask(copied, tmp_path, program=ASK) == ["7.0", "0"]
    assert ask(copied, tmp_path, program=loaded) == ["7.0", "1", "[]"]
    # without its intermediate code an entry cannot be inlined: numba must say so, and not link an empty function
    with pytest.raises(subprocess.CalledProcessError) as raised:
        ask(copied, tmp_path, program=f"{ASK}; {LINK}")
    assert "library unfit for linking" in raised.value.stderr


def test_what_an_entry_is_made_of():
    files = {str(file.relative_to(PACKAGE)) for file in imported_files(PACKAGE / "dynamics" / "statics.py")}
    assert {"dynamics/forces/laws.py", "kernels/vec3.py", "kernels/jit.py", "model/enums.py"} <= files
    assert not any(name.startswith(("views", "cli", "integrate")) for name in files)


@pytest.mark.parametrize("entry", ["analyses/piecewise/kernels.py", "analyses/spaces/stepping.py", "control/acting.py"])
def test_entries_outside_of_the_engine_are_made_of_its_kernels_too(entry):
    files = {str(file.relative_to(PACKAGE)) for file in imported_files(PACKAGE / entry)}
    assert {"kernels/jit.py", "kernels/bundle.py"} <= files
    assert any(name.startswith("dynamics/") and not name.endswith("__init__.py") for name in files)
    assert not any(name.startswith(("views", "cli", "scenario")) for name in files)


def test_digest_follows_the_content(tmp_path):
    file = tmp_path / "module.py"
    digests = []
    for text in ("x = 1\n", "x = 2\n"):
        other = tmp_path / f"{len(digests)}" / "module.py"
        other.parent.mkdir()
        other.write_text(text)
        digests.append(module_digest(other))
    assert digests[0] != digests[1] and not file.exists()


@pytest.mark.slow
def test_processes_that_begin_together_compile_once(copied, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(copied.parent), "NUMBA_CACHE_DIR": str(tmp_path / "elsewhere")}
    command = [sys.executable, "-c", ASK]
    begun = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    answers = sorted(process.communicate()[0].split() for process in begun)
    assert answers == [["7.0", "0"], ["7.0", "1"], ["7.0", "1"]]


def test_code_of_two_processes_that_compile_at_once_is_not_confused(tmp_path):
    one, other = (files_kind()(str(tmp_path), "advance", "stamp") for _ in range(2))
    write = one._save_data

    def interrupted(name, data):
        other.save("for that", "code for that")
        write(name, data)

    one._save_data = interrupted
    one.save("for this", "code for this")
    for reader in (one, other):
        assert reader.load("for this") == "code for this" and reader.load("for that") == "code for that"
