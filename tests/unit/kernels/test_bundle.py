"""Bundles: one pointer to compiled code, attributes to Python."""

import pickle

import numpy as np
import pytest

from taut.kernels.bundle import Bundle
from taut.kernels.jit import block, entry


class Inner(Bundle):
    weights: np.ndarray


class Outer(Bundle):
    values: np.ndarray
    matrix: np.ndarray
    inner: Inner


@block
def row_sum(bundle, i):
    total = 0.0
    for j in range(bundle.matrix.shape[1]):
        total += bundle.matrix[i, j] * bundle.inner.weights[j]
    return total


@entry
def fill_values(bundle):
    for i in range(len(bundle.values)):
        bundle.values[i] = row_sum(bundle, i)


def new_bundle(rows=3, dtype=float):
    matrix = np.arange(4.0 * rows).reshape(rows, 4).astype(dtype)
    return Outer(values=np.zeros(rows, dtype), matrix=matrix, inner=Inner(weights=np.arange(4.0)))


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("rows", [0, 1, 5])
def test_compiled_code_reads_and_writes_the_arrays(rows, dtype):
    bundle = new_bundle(rows, dtype)
    fill_values(bundle)
    np.testing.assert_array_equal(bundle.values, bundle.matrix @ bundle.inner.weights)


def test_a_write_from_python_is_seen_at_the_next_call():
    bundle = new_bundle()
    fill_values(bundle)
    bundle.inner.weights[:] = 1.0
    fill_values(bundle)
    np.testing.assert_array_equal(bundle.values, bundle.matrix.sum(axis=1))


def test_replaced_arrays_make_another_bundle():
    bundle = new_bundle()
    other = bundle._replace(inner=Inner(weights=np.ones(4)))
    fill_values(other)
    assert other.values is bundle.values
    np.testing.assert_array_equal(bundle.values, bundle.matrix.sum(axis=1))


def test_a_pickled_bundle_stands_on_its_own():
    bundle = pickle.loads(pickle.dumps(new_bundle()))
    fill_values(bundle)
    np.testing.assert_array_equal(bundle.values, bundle.matrix @ np.arange(4.0))


def test_an_array_cannot_be_exchanged():
    with pytest.raises(AttributeError, match="write into the array"):
        new_bundle().values = np.zeros(3)


def test_fields_must_be_complete_and_contiguous():
    with pytest.raises(TypeError, match="weights"):
        Inner()
    with pytest.raises(ValueError, match="contiguous"):
        Inner(weights=np.zeros(8)[::2])


def test_a_block_can_be_called_from_python():
    assert row_sum(new_bundle(), 1) == new_bundle().matrix[1] @ np.arange(4.0)


class Constant(Bundle):
    _constant = True

    values: np.ndarray


def test_a_constant_bundle_and_a_writeable_copy_of_it_are_of_one_type():
    frozen = np.ones(2)
    frozen.setflags(write=False)
    given, changed = Constant(values=frozen), Constant(values=np.zeros(2))
    assert given._numba_type_ is changed._numba_type_
    assert Inner(weights=frozen)._numba_type_ is not Inner(weights=np.zeros(2))._numba_type_
