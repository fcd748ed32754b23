"""Imports between the rooms keep the contracts of pyproject.toml."""

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

from house.sources import ROOT


def test_import_contracts_hold(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    status = lint_imports(no_cache=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out
