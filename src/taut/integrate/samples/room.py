"""Room for many samples and for what is read off them: they are read straight into their places."""

from typing import Any

import numpy as np
from numba.core import config

from taut.integrate.samples.raw import SAMPLED, Raw, Samples, new_blank, read_samples
from taut.kernels.bundle import Bundle
from taut.model import Data, Model


class Rows:
    """Some rows of the arrays of a bundle, handed over as a bundle without making its arrays anew.

    The block of a bundle holds, by array, its address and its shape.
    """

    def __init__(self, bundle: Bundle, names: tuple[str, ...]) -> None:
        """Take the arrays of a bundle, of which ``names`` have a row per sample."""
        self.bundle, slots = bundle, bundle._numba_type_.slots
        self.arrays = {name: getattr(bundle, name) for name in names}
        self.others = {name: value for name, value in bundle._asdict().items() if name not in names}
        self.at = np.array([slots[name] for name in names])
        self.strides = np.array([array.strides[0] for array in self.arrays.values()], np.uint64)
        self.addresses = bundle.__dict__["_block"][self.at]
        self.passing = self._new()  # handed over to compiled code again and again, each time for other rows

    def _new(self) -> Any:
        block = self.bundle.__dict__["_block"].copy()
        made = object.__new__(type(self.bundle))
        made.__dict__.update(_block=block, _address=block.ctypes.data, _numba_type_=self.bundle._numba_type_)
        return made

    def _aim(self, made: Any, first: int, count: int) -> Any:
        block = made.__dict__["_block"]
        block[self.at], block[self.at + 1] = self.addresses + np.uint64(first) * self.strides, count
        return made

    def pass_on(self, first: int, count: int) -> Any:
        """``count`` rows from the first on for one call of compiled code; Python cannot read their attributes."""
        if config.DISABLE_JIT:  # pyright: ignore[reportAttributeAccessIssue]
            return self.cut(first, count)
        return self._aim(self.passing, first, count)

    def cut(self, first: int, count: int) -> Any:
        """A bundle of ``count`` rows from the first on."""
        made = self._aim(self._new(), first, count)
        rows = {name: array[first : first + count] for name, array in self.arrays.items()}
        made.__dict__.update(rows, **self.others)
        return made


class Room:
    """Arrays for a number of samples, filled from the first row on."""

    def __init__(self, model: Model, size: int) -> None:
        """Make arrays for some number of samples and for what is read off them."""
        self.model, self.size = model, size
        self.samples, self.raw = new_blank(model, size)
        self.rows = Rows(self.samples, SAMPLED), Rows(self.raw, Raw._fields)
        self.begin = self.used = 0  # rows that were taken already, and rows that are filled
        self.residuals = np.zeros(model.column_count)

    def read(self, data: Data, buffer: Samples, count: int) -> None:
        """The first ``count`` samples of a buffer; ``data`` has the modes and commands of the run."""
        first, after = self.used, self.used + count
        # copies, because the buffer is used again
        for name, array in self.rows[0].arrays.items():
            array[first:after] = getattr(buffer, name)[:count]
        self.raw.modes[first:after] = data.modes
        part, raw = (rows.pass_on(first, count) for rows in self.rows)
        # samples are read with exact forces, also where the run used piecewise linear ones
        read_samples(self.model.exact_tables, data, part, raw, self.residuals)
        self.used = after

    def take(self) -> tuple[Samples, Raw]:
        """The rows that were filled since the last time."""
        first, self.begin = self.begin, self.used
        samples, raw = (rows.cut(first, self.used - first) for rows in self.rows)
        return samples, raw
