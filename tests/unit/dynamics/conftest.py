"""Small machines with everything on them, and their state as the reference twin takes it."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from engine import placed
from machines import full_machine


class Machine(NamedTuple):
    """A model and data placed at its start state."""

    model: Any
    data: Any

    def state(self):
        """Arguments of the reference twin."""
        return self.model.tables, self.data.q, self.data.v, self.data.signals

    def position(self):
        """Arguments of the twin's functions that need no velocity."""
        return self.model.tables, self.data.q, self.data.signals

    def vector(self, size=None):
        """Random numbers, by default one for each column."""
        return np.random.default_rng(0).normal(size=self.model.column_count if size is None else size)


@pytest.fixture(params=range(3))
def machine(request):
    """A random machine."""
    model = full_machine(request.param)
    return Machine(model, placed(model))
