import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from taut.results.packing import (
    Damage,
    Record,
    pack_arrays,
    pack_chunk,
    pack_record,
    read_record,
    unpack_arrays,
    unpack_checkpoint,
    unpack_samples,
)

DTYPES = st.sampled_from([np.float64, np.complex128, np.int64, np.uint8, np.bool_, np.dtype(">f8")])
ARRAYS = st.dictionaries(st.text(max_size=8), hnp.arrays(DTYPES, hnp.array_shapes(min_dims=0, min_side=0)), max_size=4)


def same(one, other):
    return (one.shape, one.dtype.kind) == (other.shape, other.dtype.kind) and np.array_equal(
        one, other, equal_nan=one.dtype.kind in "fc"
    )


@given(ARRAYS, ARRAYS)
def test_arrays_come_back_as_they_were(samples, checkpoint):
    payload = pack_chunk(samples, checkpoint)
    for given_arrays, found in ((samples, unpack_samples(payload)), (checkpoint, unpack_checkpoint(payload))):
        assert list(found) == list(given_arrays)
        assert all(same(found[name], given_arrays[name]) for name in found)


def test_bits_survive_any_memory_layout():
    values = np.array([[0.0, -0.0, np.nan], [np.inf, 5e-324, -1.5]])
    found = unpack_arrays(pack_arrays({"a": np.asfortranarray(values), "b": values[:, ::2]}))
    assert found["a"].tobytes() == values.tobytes()
    assert found["b"].tobytes() == np.ascontiguousarray(values[:, ::2]).tobytes()
    found["a"][0, 0] = 1.0


def test_only_numbers_are_kept():
    with pytest.raises(TypeError, match="not so: name"):
        pack_arrays({"name": np.array(["C1"])})


@pytest.mark.parametrize("position", range(44))
def test_every_flipped_bit_is_noticed(position):
    data = bytearray(pack_record(Record(2, 7, b"twenty bytes of data")))
    data[position] ^= 1 << position % 8
    with pytest.raises(Damage):
        read_record(io.BytesIO(data), len(data))


def test_record_comes_back():
    data = pack_record(Record(2, 7, b"twenty bytes of data"))
    assert len(data) == 44
    file = io.BytesIO(data)
    assert read_record(file, len(data)) == Record(2, 7, b"twenty bytes of data")
    assert read_record(file, len(data)) is None


def test_records_come_back_field_by_field():
    kind = np.dtype([("time", float), ("is_first", "i1"), ("works", float, (2,))], align=True)
    given = np.array([(0.1, 1, (2.0, -0.0))], kind)
    found = unpack_arrays(pack_arrays({"clock": given}))["clock"]
    assert found.dtype.names == kind.names and all(np.array_equal(found[name], given[name]) for name in kind.names)


def test_records_of_text_are_refused():
    with pytest.raises(TypeError, match="clock"):
        pack_arrays({"clock": np.array([(0.1, "a")], [("time", float), ("name", "U1")])})
