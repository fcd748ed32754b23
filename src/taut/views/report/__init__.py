"""The report of a result: one HTML file."""

from taut.views.report.report import report_page, write_report

__all__ = ["report_page", "write_report"]
