"""Named results with units, their audit, and their files."""

from taut.results.audit import compute_audit
from taut.results.audit_text import audit_lines
from taut.results.channels import CHANNELS, assemble, pad_cables
from taut.results.errors import JournalError, ResultError
from taut.results.finish import journal_header, make_result, recover
from taut.results.journal import Journal, JournalContent, journal_path, read_journal
from taut.results.record import COMPLETED, INTERRUPTED, STOPPED, RunRecord
from taut.results.result import Result, open_result

__all__ = [
    "CHANNELS",
    "COMPLETED",
    "INTERRUPTED",
    "STOPPED",
    "Journal",
    "JournalContent",
    "JournalError",
    "Result",
    "ResultError",
    "RunRecord",
    "assemble",
    "audit_lines",
    "compute_audit",
    "journal_header",
    "journal_path",
    "make_result",
    "open_result",
    "pad_cables",
    "read_journal",
    "recover",
]
