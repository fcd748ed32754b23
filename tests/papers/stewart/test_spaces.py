"""The published manipulators, simulated in every space of coordinates."""

import pytest

from taut.verify import verify_case


@pytest.mark.slow
@pytest.mark.parametrize("case", ["stewart", "six-rss"])
def test_case(case):
    failed = {name: quantity for name, quantity in verify_case(case).items() if not quantity["pass"]}
    assert not failed
