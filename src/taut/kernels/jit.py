"""The one place that says how kernels are compiled.

- ``kernel``: an algorithm, and ``part``: what it calls in its loops. Both are inlined by force where compiled code
  calls them.
- ``summing``: a part that adds up a vector, in any order.
- ``block``: a part of a long algorithm, called by compiled code and not inlined.
- ``only_with``: on top of these, what only models with rows in some tables need; others are compiled without it.
- ``entry``: what Python calls; it holds no lock of the interpreter.

Python can call the others too, for tests and trials: an entry is made of them then.

With TAUT_PLAIN_NJIT=1 in the environment all of them are plain ``numba.njit``: no interface of numba is used that is
not public, nothing is left out or inlined by force, and compiling takes several times as long. It is the way out when a
new release of numba breaks the usual one, and a check of it.
"""

import hashlib
import os
from collections.abc import Callable
from typing import Any

import numba
from numba.core import config

from taut.kernels.cache import keep_on_disk, plain_cache

LETTERS = 12  # hexadecimal digits of a digest
IS_PLAIN = os.environ.get("TAUT_PLAIN_NJIT", "") not in ("", "0")
PUBLIC: dict[str, Any] = {
    # a division by zero gives inf, which a status check sees, instead of an exception path in every kernel
    "error_model": "numpy",
    # a product and a sum may be one (more accurate) instruction
    "fastmath": {"contract"},
}
OPTIONS: dict[str, Any] = {
    **PUBLIC,
    # no memory management: no reference counting (an atomic operation per array touched), and a kernel that allocates
    # does not compile
    "_nrt": False,
    "no_cfunc_wrapper": True,
}


def entry(function: Callable[..., Any]) -> Any:
    """Compile for Python, and keep the code on disk. Other threads run meanwhile: each needs workspaces of its own."""
    if config.DISABLE_JIT:  # pyright: ignore[reportAttributeAccessIssue]
        return function
    if IS_PLAIN:
        with plain_cache(function.__code__.co_filename):
            return numba.njit(cache=True, nogil=True, **PUBLIC)(function)
    from taut.kernels.separate import EntryPipeline

    return keep_on_disk(numba.njit(pipeline_class=EntryPipeline, nogil=True, **OPTIONS)(function))


def inner(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a function that compiled code calls."""
    if config.DISABLE_JIT:  # pyright: ignore[reportAttributeAccessIssue]
        return function
    tell_apart(function)
    if IS_PLAIN:
        return numba.njit(**{**PUBLIC, "fastmath": options.get("fastmath", PUBLIC["fastmath"])})(function)
    from taut.kernels.separate import InnerDispatcher, InnerPipeline

    chosen = {"nopython": True, "no_cpython_wrapper": True, **OPTIONS, **options}
    return InnerDispatcher(py_func=function, targetoptions=chosen, pipeline_class=InnerPipeline)


def tell_apart(function: Any) -> None:
    """Give a function made by a factory a unique name: symbols of compiled code are made of names.

    Without that, code of two such functions, one of them from the disk, would be confused.
    """
    enclosed = [getattr(cell.cell_contents, "py_func", cell.cell_contents) for cell in function.__closure__ or ()]
    names = [f"{part.__module__}.{part.__qualname__}" if callable(part) else repr(part) for part in enclosed]
    if names:
        function.__qualname__ += hashlib.sha256(repr(names).encode()).hexdigest()[:LETTERS]


def kernel(function: Callable[..., Any]) -> Any:
    """Mark an algorithm, which is inlined by force."""
    return inner(function, forceinline=True)


part = kernel


def summing(function: Callable[..., Any]) -> Any:
    """A part whose sums may be done in any order, several at a time."""
    return inner(function, forceinline=True, fastmath={"contract", "reassoc"})


def block(function: Callable[..., Any]) -> Any:
    """A part of a long algorithm that is called, not inlined."""
    return inner(function)


def only_with(*tables: str, otherwise: Callable[..., Any]) -> Callable[[Any], Any]:
    """Mark a kernel that a model needs only if one of the tables has rows.

    The first argument is the bundle with the tables. In code for a model without rows, ``otherwise``, a function of the
    same arguments, stands in its place: features that the model lacks are not compiled.
    """

    def mark(function: Any) -> Any:
        if not config.DISABLE_JIT and not IS_PLAIN:  # pyright: ignore[reportAttributeAccessIssue]
            function.tables, function.otherwise = tables, kernel(otherwise)
        return function

    return mark
