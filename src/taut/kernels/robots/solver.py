"""Tensions from Python in as little time as a call can take: limits, goal and result stay in one place.

A bundle as an argument costs Python half a microsecond, as much as the solution itself: its type is looked up anew at
every call. Here the address of the bundle is handed over as a number.
"""

from typing import Any

import numpy as np
from numba.core import config, types
from numba.extending import intrinsic

from taut.kernels.bundle import Bundle
from taut.kernels.jit import entry
from taut.kernels.robots.distribution import Distribution, distribute, new_distribution


class Desk(Bundle):
    """Limits, goal, tensions and workspace of one robot."""

    lo: np.ndarray  # lower limits of the tensions [N], shape [n_cables]
    hi: np.ndarray  # upper limits of the tensions [N], shape [n_cables]
    goal: np.ndarray  # desired tensions [N], shape [n_cables]
    f: np.ndarray  # tensions found [N], shape [n_cables]
    work: Distribution


def new_desk(lo: np.ndarray, hi: np.ndarray, goal: np.ndarray, n: int) -> Desk:
    """Workspace that holds limits and a goal."""
    m = len(lo)
    return Desk(lo=np.array(lo, float), hi=np.array(hi, float), goal=np.array(goal, float), f=np.zeros(m),
                work=new_distribution(m, n))  # fmt: skip


KIND = new_desk(np.zeros(1), np.ones(1), np.zeros(1), 1)._numba_type_  # numba's type of a desk, the same for all sizes


@intrinsic
def desk_at(_context, address):
    """The workspace at an address."""

    def code(context, builder, _signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(KIND))

    return KIND(types.int64), code


@entry
def solve_at(W, w, address):
    """Solve as ``distribute`` does, with the workspace at an address."""
    desk = desk_at(address)  # pyright: ignore[reportCallIssue]
    return distribute(W, w, desk.lo, desk.hi, desk.goal, desk.f, desk.work)


class TensionSolver:
    """Tensions nearest to a goal within limits, for structure matrices of one size, called many times."""

    def __init__(self, limits: Any, freedoms: int, goal: Any = 0.0) -> None:
        """``limits``: smallest and largest tensions [N], arrays of one length; ``goal``: tensions to be near to [N]."""
        lo, hi = (np.atleast_1d(np.asarray(limit, float)) for limit in limits)
        if lo.shape != hi.shape or not (np.isfinite(lo).all() and np.all(lo <= hi)):
            raise ValueError(f"limits must be two arrays of one length, the lower ones finite and first: {limits}")
        self.desk = new_desk(lo, hi, np.broadcast_to(goal, len(lo)), freedoms)
        self.tensions = self.desk.f
        # found once: a call takes less than a microsecond, of which every look-up would be a part
        self.shapes, self.address = ((freedoms, len(lo)), (freedoms,)), self.desk._address
        self.is_compiled = not config.DISABLE_JIT  # pyright: ignore[reportAttributeAccessIssue]

    def __call__(self, W: np.ndarray, w: np.ndarray) -> int:
        """Solve W f = w into ``tensions``; returns an outcome of ``nearest.py`` or ``distribution.py``, 0 if solved.

        W is C-contiguous, shape [freedoms, n_cables], both of floats; another size is an error.
        """
        if (W.shape, w.shape) != self.shapes:
            raise ValueError(f"W and w must have the shapes {self.shapes}, not {(W.shape, w.shape)}")
        if self.is_compiled:
            return solve_at(W, w, self.address)
        desk = self.desk
        return distribute(W, w, desk.lo, desk.hi, desk.goal, desk.f, desk.work)
