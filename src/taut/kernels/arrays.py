"""Copies and fills without memory management (an array assignment would allocate, in case the two overlap)."""

from taut.kernels.jit import part


@part
def copy(source, target):
    """target = source, entry by entry."""
    for i in range(len(source)):
        target[i] = source[i]


@part
def fill(target, value):
    """All entries equal."""
    for i in range(len(target)):
        target[i] = value


@part
def add(source, target):
    """Add one array to another of the same length."""
    for i in range(len(source)):
        target[i] += source[i]
