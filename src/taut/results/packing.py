"""Records of a journal as bytes, and back, bit by bit the same.

A record is

    magic  kind  version  number  length  checksum  payload
    4      1     1 (+2)   4       8       4         length         bytes, little endian

where the number counts records from 0 and the checksum (CRC32) covers all that stands before it and the payload. A
payload of arrays is the length of a JSON list of (name, type, shape), that list, and the values one after the other.
"""

import json
import struct
import zlib
from typing import Any, BinaryIO, NamedTuple

import numpy as np

MAGIC = b"TAUT"
VERSION = 1
HEADER, CHUNK = 1, 2
HEAD = struct.Struct("<4sBBHIQ")
CHECKSUM = struct.Struct("<I")
LENGTH = struct.Struct("<Q")
LONGEST = HEAD.size + CHECKSUM.size


class Damage(Exception):
    """Raised where bytes are no whole record."""


class Record(NamedTuple):
    """One record of a journal."""

    kind: int
    number: int
    payload: bytes


def pack_record(record: Record) -> bytes:
    """Return the record with its head and checksum."""
    head = HEAD.pack(MAGIC, record.kind, VERSION, 0, record.number, len(record.payload))
    return head + CHECKSUM.pack(_checksum(head, record.payload)) + record.payload


def read_record(file: BinaryIO, size: int) -> Record | None:
    """Read the next record of a file of the given size [bytes]; None at the end, ``Damage`` where it is not whole."""
    start = file.read(LONGEST)
    if not start:
        return None
    if len(start) < LONGEST:
        raise Damage("the head of a record is cut off")
    head = start[: HEAD.size]
    magic, kind, version, _, number, length = HEAD.unpack(head)
    if magic != MAGIC or version != VERSION:
        raise Damage("bytes that are no record")
    # a damaged length must not make us allocate more memory than the file has bytes
    if length > size - file.tell():
        raise Damage("a record is cut off")
    payload = file.read(length)
    if _checksum(head, payload) != CHECKSUM.unpack(start[HEAD.size :])[0]:
        raise Damage("a record whose checksum is wrong")
    return Record(kind, number, payload)


def pack_arrays(arrays: dict[str, Any]) -> bytes:
    """Return named arrays of numbers as bytes."""
    plain = {name: np.asarray(array) for name, array in arrays.items()}
    wrong = [name for name, array in plain.items() if not _is_numbers(array.dtype)]
    if wrong:
        raise TypeError(f"a journal holds arrays of numbers; not so: {', '.join(wrong)}")
    # fixed byte order and records without gaps; tobytes writes any memory layout in C order
    plain = {
        name: array.astype(_dtype(_words(array.dtype.newbyteorder("<"))), copy=False) for name, array in plain.items()
    }
    table = json.dumps([(name, _words(array.dtype), array.shape) for name, array in plain.items()]).encode()
    return b"".join([LENGTH.pack(len(table)), table, *(array.tobytes() for array in plain.values())])


def unpack_arrays(data: bytes | memoryview) -> dict[str, np.ndarray]:
    """Return the named arrays; they may be written to."""
    end = LENGTH.size + LENGTH.unpack(data[: LENGTH.size])[0]
    arrays = {}
    for name, dtype, shape in json.loads(bytes(data[LENGTH.size : end])):
        count = int(np.prod(shape, dtype=np.int64))
        array = np.frombuffer(data, _dtype(dtype), count, end).reshape(shape)
        end += array.nbytes
        arrays[name] = array.astype(array.dtype.newbyteorder("="))
    return arrays


def _is_numbers(dtype: np.dtype) -> bool:
    """Whether a type is a number, or a record of numbers."""
    return dtype.kind in "biufc" or bool(dtype.fields and all(_is_numbers(f[0].base) for f in dtype.fields.values()))


def _words(dtype: np.dtype) -> Any:
    """A type as plain data: its code, or name, code and shape of every field of a record."""
    return dtype.str if dtype.names is None else [(n, dtype[n].base.str, dtype[n].shape) for n in dtype.names]


def _dtype(words: Any) -> np.dtype:
    """The numpy type of an array or of records."""
    return np.dtype(words) if isinstance(words, str) else np.dtype([(n, c, tuple(shape)) for n, c, shape in words])


def pack_chunk(arrays: dict[str, Any], checkpoint: dict[str, Any]) -> bytes:
    """Return samples and the integrator's state after them as one payload."""
    samples = pack_arrays(arrays)
    return LENGTH.pack(len(samples)) + samples + pack_arrays(checkpoint)


def unpack_samples(payload: bytes) -> dict[str, np.ndarray]:
    """Return the samples of a chunk."""
    return unpack_arrays(memoryview(payload)[LENGTH.size : _end_of_samples(payload)])


def unpack_checkpoint(payload: bytes) -> dict[str, np.ndarray]:
    """Return the integrator's state of a chunk."""
    return unpack_arrays(memoryview(payload)[_end_of_samples(payload) :])


def pack_json(value: Any) -> bytes:
    """Return plain data as bytes; numpy numbers and arrays become plain numbers and lists."""
    return json.dumps(value, default=lambda entry: entry.tolist()).encode()


def _end_of_samples(payload: bytes) -> int:
    return LENGTH.size + LENGTH.unpack(payload[: LENGTH.size])[0]


def _checksum(head: bytes, payload: bytes) -> int:
    return zlib.crc32(payload, zlib.crc32(head))
