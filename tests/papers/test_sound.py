"""What was wrong once: `taut verify sound`."""

import pytest

from taut.verify import verify_case


@pytest.mark.slow
def test_all_numbers_pass():
    assert all(quantity["pass"] for quantity in verify_case("sound").values())
