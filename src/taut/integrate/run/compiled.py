"""Whether a run can begin at once, or the engine must be compiled first."""

import sys

import numpy as np

from taut.integrate.samples.raw import new_samples, read_samples
from taut.integrate.settings import ALL_INTEGRATORS
from taut.kernels.beside import compile_beside
from taut.kernels.cache import is_compiled
from taut.model import Model, new_data

COMPILING = "compiling {} for these kinds of cables (once, about half a minute) ..."

# (method, types of tables) whose compiled code was found; types are never deleted
FOUND: set[tuple[str, int, int]] = set()


def is_engine_compiled(model: Model, integrator: str) -> bool:
    """Whether the compiled code that a run of such a model by this method needs lies on the disk."""
    key = integrator, id(model.tables._numba_type_), id(model.exact_tables._numba_type_)
    if key not in FOUND and is_on_disk(model, integrator):
        FOUND.add(key)
    return key in FOUND


def is_on_disk(model: Model, integrator: str) -> bool:
    """Look for the compiled code of all entries."""
    method = ALL_INTEGRATORS.get(integrator)
    entries = (
        [entry for entry in vars(sys.modules[method.__module__]).values() if hasattr(entry, "py_func")]
        if method
        else []
    )
    # samples are read with exact forces, also from a run with piecewise linear ones
    return is_compiled(read_samples, model.exact_tables) and all(is_compiled(entry, model.tables) for entry in entries)


def begin_to_compile(model: Model, integrator: str) -> None:
    """Before the first run by a method, with the model's kinds of cables: say on stderr that it takes longer.

    The stepping loop is compiled by a process beside this one, which compiles what the start and the samples need.
    """
    if is_engine_compiled(model, integrator):
        return
    print(COMPILING.format(integrator), file=sys.stderr, flush=True)
    entry, work = ALL_INTEGRATORS[integrator].stepping(model, new_data(model))
    if not is_compiled(entry, model.tables):
        compile_beside(entry, (model.tables, work, new_samples(model, np.zeros(1), 1), 1))
