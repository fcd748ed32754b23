"""Code for a model without rows in a table lacks what only those rows need."""

import numba
import numpy as np
import pytest
from numba.core import config

from taut.kernels.bundle import Bundle
from taut.kernels.jit import OPTIONS, kernel, only_with
from taut.kernels.separate import EntryPipeline


class Shelf(Bundle):
    """A bundle of which the compiler knows whether ``books`` is empty."""

    _optional = ("books",)

    books: np.ndarray
    boxes: np.ndarray


@only_with("books", otherwise=lambda shelf: -1.0)
@kernel
def weight(shelf):
    """Weight of all books."""
    total = 0.0
    for i in range(len(shelf.books)):
        total += shelf.books[i]
    return total


@numba.njit(pipeline_class=EntryPipeline, **OPTIONS)
def weigh(shelf):
    """Entry for Python; not kept on disk, so that the test sees what is compiled."""
    return weight(shelf)


def shelf(books: int, boxes: int = 1) -> Shelf:
    return Shelf(books=np.full(books, 2.0), boxes=np.zeros(boxes))


def test_the_type_says_which_optional_fields_are_empty():
    full, bare = shelf(3)._numba_type_, shelf(0)._numba_type_
    assert (full.empty, bare.empty) == (frozenset(), {"books"})
    assert full != bare
    assert full == shelf(1)._numba_type_ == shelf(1, boxes=0)._numba_type_


def test_a_bundle_within_is_empty_if_all_its_optional_fields_are():
    class Room(Bundle):
        _optional = ("shelf",)
        shelf: Shelf

    assert Room(shelf=shelf(0, boxes=5))._numba_type_.empty == {"shelf"}
    assert Room(shelf=shelf(1))._numba_type_.empty == frozenset()


@pytest.mark.skipif(config.DISABLE_JIT, reason="plain Python has no kinds")  # pyright: ignore
def test_the_stand_in_is_compiled_where_there_are_no_rows():
    assert weigh(shelf(3)) == 6.0
    assert len(weight.overloads) == 1
    assert weigh(shelf(0)) == -1.0
    assert len(weight.overloads) == 1  # the kernel was not compiled for the bundle without books
