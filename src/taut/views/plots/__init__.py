"""Figures of results, by matplotlib."""

from taut.views.plots.plot import ALL_FORMATS, ALL_GROUPS, plot_result

__all__ = ["ALL_FORMATS", "ALL_GROUPS", "plot_result"]
