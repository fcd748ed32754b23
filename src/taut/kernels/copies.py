"""Copies of bundles, made at once.

A workspace is a bundle of some dozens of arrays, which take long to make one by one. The arrays of a copy lie in one
piece of memory: it is copied as a whole, and the block of addresses is that of the original, moved. Compiled code sees
no difference; Python gets an array when it asks for it.
"""

from typing import Any

import numpy as np

from taut.kernels.bundle import Bundle

ALIGNED = 64  # alignment of copies: a cache line [bytes]


class Layout:
    """Where the arrays of a bundle lie in one piece of memory, and what they hold."""

    def __init__(self, bundle: Bundle) -> None:
        """Lay out all arrays of a bundle, with what they hold now; bundles within it are copied on their own."""
        self.kind, self.type = type(bundle), bundle._numba_type_
        self.slots = bundle._numba_type_.slots
        self.inner = {name: value for name, value in bundle._asdict().items() if isinstance(value, Bundle)}
        self.arrays = {name: value for name, value in bundle._asdict().items() if name not in self.inner}
        self.places: dict[str, int] = {}
        size = 0
        for name, array in self.arrays.items():
            self.places[name] = size
            size += -(-array.nbytes // ALIGNED) * ALIGNED
        self.content = np.zeros(size, np.uint8)
        for name in self.arrays:
            self.view(self.content, name)[...] = self.arrays[name]
        # addresses, which the block holds beside sizes, count from the start of the memory
        self.block = np.array(bundle.__dict__["_block"])
        self.moved = np.array([self.slots[name] for name in self.arrays], np.int64)
        self.block[self.moved] = [self.places[name] for name in self.arrays]

    def view(self, memory: np.ndarray, name: str) -> np.ndarray:
        """One array in a piece of memory."""
        like = self.arrays[name]
        found = np.ndarray(like.shape, like.dtype, memory, self.places[name])
        return found if type(like) is np.ndarray else found.view(type(like))

    def copy(self, given: dict[str, Any]) -> Bundle:
        """A copy, but for what is given: arrays of the same kinds and sizes, and bundles."""
        memory, block, fields = self.content.copy(), self.block.copy(), {}
        block[self.moved] += np.uint64(memory.ctypes.data)
        for name, value in self.inner.items():
            fields[name] = given[name] if name in given else copied(value)
            block[self.slots[name]] = fields[name]._address
        for name, value in given.items():
            if name in self.arrays:
                fields[name] = fitting(value, self.arrays[name], name)
                block[self.slots[name]] = value.ctypes.data
        made = object.__new__(self.kind)
        made.__dict__.update(fields, _layout=self, _memory=memory, _block=block, _address=block.ctypes.data,
                             _numba_type_=self.type)  # fmt: skip
        return made


def fitting(value: np.ndarray, like: np.ndarray, name: str) -> np.ndarray:
    """The array, if compiled code can take it for the other."""
    if value.shape != like.shape or value.dtype != like.dtype or not value.flags.c_contiguous:
        raise ValueError(f"{name}: {value.dtype} {value.shape} cannot stand for {like.dtype} {like.shape}")
    return value


def copied(original: Bundle, **given: Any) -> Any:
    """A bundle with copies of all arrays of another, but for what is given.

    The first copy of an original remembers what its arrays hold; later ones hold the same, whatever was written since.
    """
    layout = original.__dict__.get("_original")
    if layout is None:
        layout = original.__dict__["_original"] = Layout(original)
    return layout.copy(given)
