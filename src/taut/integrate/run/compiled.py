"""Whether a run can begin at once, or the engine must be compiled first."""

import sys

from taut.integrate.samples.raw import read_samples
from taut.integrate.simulate import ALL_INTEGRATORS
from taut.kernels.cache import is_compiled
from taut.model import Model


def is_engine_compiled(model: Model, integrator: str) -> bool:
    """Whether the compiled code that a run of such a model by this method needs lies on the disk."""
    method = ALL_INTEGRATORS.get(integrator)
    entries = (
        [entry for entry in vars(sys.modules[method.__module__]).values() if hasattr(entry, "py_func")]
        if method
        else []
    )
    # samples are read with exact forces
    return is_compiled(read_samples, model.exact_tables) and all(is_compiled(entry, model.tables) for entry in entries)
