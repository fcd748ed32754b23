"""The public interface is small, sorted and complete."""

import taut

NAME_LIMIT = 25


def test_public_names_are_few():
    assert 0 < len(taut.__all__) <= NAME_LIMIT


def test_public_names_are_listed_once():
    assert len(set(taut.__all__)) == len(taut.__all__)


def test_public_names_exist():
    missing = [name for name in taut.__all__ if not hasattr(taut, name)]
    assert not missing


def test_public_names_are_documented():
    silent = [name for name in taut.__all__ if callable(getattr(taut, name)) and not getattr(taut, name).__doc__]
    assert not silent
