"""Fixtures for results and their files."""

import resource

import pytest


@pytest.fixture
def full_disk():
    """Function that lets every file end at so many bytes, as on a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
