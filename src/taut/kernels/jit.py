"""The one place that says how kernels are compiled.

``kernel`` is for algorithms, ``part`` for what an algorithm calls in its loops. Both are inlined by force where compiled
code calls them: handing over a bundle of tables costs more than the arithmetic of a node. ``block`` is for large pieces
that compiled code calls from several places, where a copy of each would cost more time to compile than it saves; it
cannot be called from Python, which an ``entry`` can. ``piece`` is a chapter of a long ``entry``, written into it before
compilation: it may take the whole workspace, and costs nothing.
"""

from collections.abc import Callable
from typing import Any

import numba

from taut.kernels.cache import drop_stale

drop_stale()

# error_model="numpy": a division by zero gives inf, which the caller's status check sees, instead of an exception path
# in every kernel; contract: a product and a sum may be one (more accurate) instruction
# _nrt=False: no memory management, so no reference counting (an atomic operation per array touched), and a kernel that
# allocates does not compile
OPTIONS: dict[str, Any] = {"cache": True, "error_model": "numpy", "fastmath": {"contract"}, "_nrt": False}
block: Callable[..., Any] = numba.njit(**OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)
piece: Callable[..., Any] = numba.njit(**OPTIONS, inline="always")
entry: Callable[..., Any] = numba.njit(**OPTIONS)
kernel: Callable[..., Any] = numba.njit(**OPTIONS, forceinline=True)
part: Callable[..., Any] = kernel
