"""Reduced models: training runs, shapes of the cables, errors and speed."""

from taut.analyses.reduction.errors import Errors, compare
from taut.analyses.reduction.methods import METHODS, reduce

__all__ = ["METHODS", "Errors", "compare", "reduce"]
