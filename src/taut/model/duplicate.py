"""A workspace of one's own that holds what another one holds."""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.model.data import Data, new_data
from taut.model.model import Model


def duplicate(model: Model, data: Data) -> Data:
    """A copy of a workspace with all that it holds now."""
    made = new_data(model)
    write(made, data)
    return made


def write(target: Bundle, source: Bundle) -> None:
    """Put all that one bundle holds into another of the same arrays."""
    layout = target.__dict__.get("_layout")
    if layout is None or layout is not source.__dict__.get("_layout"):
        for name in target._fields:
            value = getattr(source, name)
            if isinstance(value, Bundle):
                write(getattr(target, name), value)
            else:
                getattr(target, name)[...] = value
        return
    # both are copies of one original, and each lies in one piece of memory (``kernels/copies.py``)
    memory = source.__dict__["_memory"]
    target.__dict__["_memory"][:] = memory
    # arrays that the source shares with a third workspace lie elsewhere
    for name in layout.arrays:
        value = source.__dict__.get(name)
        if value is not None and not np.may_share_memory(value, memory):
            getattr(target, name)[...] = value
    for name in layout.inner:
        write(getattr(target, name), getattr(source, name))
