"""Results for other tools: tables, MATLAB files, scenes."""

from taut.views.export.export import ALL_SUFFIXES, export_result

__all__ = ["ALL_SUFFIXES", "export_result"]
