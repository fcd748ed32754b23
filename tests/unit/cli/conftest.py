"""Fixtures of the command line's tests."""

import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, which commands are called in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
