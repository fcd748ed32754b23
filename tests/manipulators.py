"""The manipulators of the library, and states of theirs in motion with closed loops."""

import numpy as np

from taut import library
from taut.build import build
from taut.dynamics.residual import least_mass_step, place
from taut.dynamics.tree.positions import move
from taut.integrate.start.start_state import close_loops, start_state
from taut.model import new_factor

ALL_MANIPULATORS = ("stewart-free-fall", "six-rss-free-fall", "planar-3rrr", "planar-4rrr", "delta", "hexapod")


def manipulator(name):
    """A model of the library."""
    return build(library.load(name))


def moving_state(model, seed=0, size=0.05):
    """Data near the start, loops closed, in motion."""
    rng = np.random.default_rng(seed)
    data, factor = start_state(model).data, new_factor(model)
    move(model.tables, data.q.copy(), size * rng.normal(size=model.column_count), data.q)
    close_loops(model, data, 1e-13, is_solved=True)
    data.v[:] = rng.normal(size=model.column_count)
    place(model.tables, data)
    step = np.zeros(model.column_count)
    least_mass_step(model.tables, data, factor, True, step)
    data.v[:] += step
    place(model.tables, data)
    return data
