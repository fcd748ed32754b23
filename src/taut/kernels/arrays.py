"""Copies and fills without memory management (an array assignment would allocate, in case the two overlap)."""

from taut.kernels.jit import part


@part
def copy(source, target):
    """Copy an array entry by entry."""
    for i in range(len(source)):
        target[i] = source[i]


@part
def clear(matrix):
    """Set all entries of a matrix to zero."""
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            matrix[i, j] = 0.0


@part
def fill(target, value):
    """Set all entries to one value."""
    for i in range(len(target)):
        target[i] = value


@part
def add(source, target):
    """Add one array to another of the same length."""
    for i in range(len(source)):
        target[i] += source[i]
