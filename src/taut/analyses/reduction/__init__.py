"""Reduced models: training runs, shapes of the cables, and what they are worth."""

from taut.analyses.reduction.errors import Errors, compare
from taut.analyses.reduction.reduce import reduce

__all__ = ["Errors", "compare", "reduce"]
