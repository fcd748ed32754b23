"""A result of more than 1 GB opens without being read, and stays small in memory."""

import numpy as np
import pytest

from taut.verify.trust.see import look_apart, write_hollow


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "large.nc"
    write_hollow(path)
    yield path
    path.unlink()


@pytest.mark.slow
def test_a_result_of_more_than_one_gigabyte_is_shown_in_less(large):
    assert large.stat().st_size > 1e9
    answer = look_apart(large)
    np.testing.assert_allclose(answer["shown"], [0.0, 599 / 600, 0.5, 17 / 600], atol=1e-6)
    assert answer["peak"] < 1000  # MB
    assert answer["clients"] == 2 and answer["open"] == 0
