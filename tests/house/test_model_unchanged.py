"""A Model is never written after the build, by any algorithm."""

import pytest

from house.kernel_calls import ALL_ALGORITHMS, arguments, new_desk
from house.sources import PACKAGE
from machines import full_machine

MODEL = full_machine(0)
DESK = new_desk(MODEL)
DIGEST = MODEL.digest()
MODAL = {
    "bands",
    "modal",
    "reduced",
    "reduced_matrices",
    "reduced_nodes",
    "ritz",
    "ritz_tension",
}  # kinds of modal nodes
PARTS = {"__init__", "joints", "laws", "points", *MODAL}  # files of parts that other algorithms are made of


@pytest.mark.parametrize("algorithm", ALL_ALGORITHMS, ids=lambda kernel: kernel.__name__)
def test_digest_is_the_same_after(algorithm):
    algorithm(*arguments(DESK, algorithm))
    assert MODEL.digest() == DIGEST


def test_every_algorithm_file_is_covered():
    files = {path.stem for path in (PACKAGE / "dynamics").glob("*.py")} - PARTS
    assert files == {kernel.__module__.rsplit(".", 1)[-1] for kernel in ALL_ALGORITHMS}
