"""Copies of bundles in one piece of memory."""

import numpy as np
import pytest

from taut.kernels.bundle import Bundle
from taut.kernels.copies import copied
from taut.kernels.jit import entry


class Inner(Bundle):
    z: np.ndarray


class Outer(Bundle):
    x: np.ndarray
    rows: np.recarray
    inner: Inner


@entry
def add(outer):
    outer.x[0] += 1.0
    outer.rows[1].a += outer.inner.z[0]
    return outer.x[0] + outer.rows[1].a


def new_outer():
    rows = np.zeros(2, [("a", float), ("k", np.int64)]).view(np.recarray)
    return Outer(x=np.ones(3), rows=rows, inner=Inner(z=np.array([5.0])))


@pytest.mark.nojit
def test_copies_hold_the_same_and_are_apart():
    first = new_outer()
    one, other = copied(first), copied(first)
    assert add(one) == 7.0 and add(one) == 13.0
    assert one.rows[1].a == 10.0 and other.rows[1].a == 0.0 and first.x[0] == 1.0
    assert add(other) == 7.0


@pytest.mark.nojit
def test_what_is_given_is_shared():
    first, x = new_outer(), np.zeros(3)
    one, other = copied(first, x=x), copied(first, x=x, inner=first.inner)
    add(one), add(other)
    assert x[0] == 2.0 and other.inner is first.inner


def test_copies_of_copies_and_types():
    first = new_outer()
    again = copied(copied(first))
    assert add(again) == 7.0 and again._numba_type_ is first._numba_type_
    assert [name for name, _ in again._asdict().items()] == ["x", "rows", "inner"]


def test_other_shapes_are_refused():
    with pytest.raises(ValueError, match="cannot stand for"):
        copied(new_outer(), x=np.zeros(4))
    with pytest.raises(AttributeError):
        _ = copied(new_outer()).nothing
