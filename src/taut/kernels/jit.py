"""The one place that says how kernels are compiled.

- ``kernel``: an algorithm, and ``part``: what it calls in its loops. Both are inlined by force where compiled code
  calls them, because handing over a bundle of tables costs more than the arithmetic of a node.
- ``block``: a large building block, compiled once and called, not copied, by compiled code; Python cannot call it.
- ``piece``: a chapter of a long ``entry``, written into it before compilation; it may take the whole workspace.
- ``entry``: what Python calls.
"""

from collections.abc import Callable
from typing import Any

import numba

from taut.kernels.cache import drop_stale

drop_stale()

OPTIONS: dict[str, Any] = {
    "cache": True,
    # a division by zero gives inf, which a status check sees, instead of an exception path in every kernel
    "error_model": "numpy",
    # a product and a sum may be one (more accurate) instruction
    "fastmath": {"contract"},
    # no memory management: no reference counting (an atomic operation per array touched), and a kernel that allocates
    # does not compile
    "_nrt": False,
}
njit: Callable[..., Any] = numba.njit

kernel: Callable[..., Any] = njit(**OPTIONS, forceinline=True)
part: Callable[..., Any] = kernel
block: Callable[..., Any] = njit(**OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)
piece: Callable[..., Any] = njit(**OPTIONS, inline="always")
entry: Callable[..., Any] = njit(**OPTIONS)
