"""`taut doctor`: a verdict per line, and a remedy where something is missing."""

import json
import webbrowser
from importlib import metadata
from pathlib import Path

import pytest
from typer.testing import CliRunner

from taut.cli import app, doctor
from taut.cli.doctor import compiled, computer, packages
from taut.kernels import cache


def named(findings):
    return {finding.name: finding for finding in findings}


def test_here_everything_is_in_place():
    answer = CliRunner().invoke(app, ["doctor", "--json"])
    found = json.loads(answer.stdout)
    names = [finding["name"] for finding in found["findings"]]
    assert answer.exit_code == 0 and found["ok"]
    assert {"taut", "python", "numba", "llvmlite", "numpy", "xarray", "cores", "compiled code", "browser"} <= set(names)
    assert all(finding["remedy"] for finding in found["findings"] if finding["verdict"] != "ok")


def test_text_has_a_line_for_each_and_an_end():
    lines = CliRunner().invoke(app, ["doctor"]).stdout.rstrip().split("\n")
    assert lines[0].startswith("  ok    taut") and lines[-1] == "everything that a run needs is there"


def test_extras_are_those_of_the_package():
    _, extras = packages.requirements()
    assert set(packages.EXTRAS) == set(extras) - {"dev", "docs"}


def test_missing_and_wrong_packages(monkeypatch):
    monkeypatch.setattr(packages, "requirements", lambda: (["numpy>=99", "no-such-package"], {"view": ["no-viser>=1"]}))
    found = named([*packages.look_at_packages(), *packages.look_at_extras()])
    assert found["numpy"].verdict == "FAIL" and found["numpy"].value == f"{metadata.version('numpy')} is not >=99"
    assert found["no-such-package"].value == "is missing" and "pip install" in found["no-such-package"].remedy
    assert found["[view]"].verdict == "note" and "taut[view]" in found["[view]"].remedy


def test_sources_that_are_not_installed(monkeypatch):
    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", missing)
    assert named(packages.look_at_packages())["packages"].verdict == "warn"


def test_folder_that_cannot_be_written(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert compiled.look_at_place(cache.cache_root()).verdict == "ok"
    monkeypatch.setattr(compiled, "is_writable", lambda folder: False)
    place = compiled.look_at_place(cache.cache_root())
    assert place.verdict == "FAIL" and "NUMBA_CACHE_DIR" in place.remedy


def test_folder_is_tried_and_left_empty(tmp_path):
    assert compiled.is_writable(tmp_path) and not list(tmp_path.iterdir())
    assert not compiled.is_writable(tmp_path / "missing")


def test_folder_outside_of_the_package(monkeypatch, tmp_path):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert compiled.look_at_place(tmp_path).verdict == "warn"


def test_size_of_compiled_code(monkeypatch, tmp_path):
    monkeypatch.setattr(compiled, "cache_root", lambda: tmp_path)
    (tmp_path / "code.nbc").write_bytes(bytes(3 * 2**20))
    assert named(compiled.look_at_folder())["its size"].value.startswith("3 MB, ")


@pytest.mark.parametrize(("value", "count"), [("1", 1), ("0", 0), ("", 0)])
def test_settings_that_slow_runs_down(monkeypatch, value, count):
    monkeypatch.delenv("TAUT_PLAIN_NJIT", raising=False)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", value)
    assert len(list(compiled.look_at_settings())) == count


def test_without_a_browser(monkeypatch):
    def none():
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", none)
    monkeypatch.setattr(computer.shutil, "which", lambda name: None)
    found = named(computer.look_at_browser())["browser"]
    assert found.verdict == "note" and found.value == "none found" and "taut report" in found.remedy


def test_processor_has_a_name():
    assert computer.processor() and computer.usable_cores() >= 1


def test_what_breaks_while_looking_is_told(monkeypatch):
    monkeypatch.setattr(doctor, "LOOKS", {"compiler": lambda: (_ for _ in ()).throw(OSError("libllvm is missing"))})
    answer = CliRunner().invoke(app, ["doctor"])
    assert answer.exit_code == 1 and "FAIL  compiler       OSError: libllvm is missing" in answer.stdout
    assert answer.stdout.rstrip().endswith("see FAIL above")


def test_place_of_taut_is_told():
    assert str(Path(cache.PACKAGE)) in named(packages.look_at_taut())["taut"].value
