"""Section 4.2 of [Mamidi2024] from start to end: every number of `taut verify mamidi-4.2`."""

import pytest

from taut.verify import verify_case

CASE = "mamidi-4.2"


@pytest.fixture(scope="module")
def answer():
    return verify_case(CASE)


def test_everything_passes(answer):
    wrong = {name: quantity for name, quantity in answer.items() if not quantity["pass"]}
    assert not wrong


def test_nothing_is_left_out(answer):
    assert len(answer) == 39
    assert {"paper lambda_1z at 1 s", "default yaw", "default-light deviation z"} <= set(answer)
