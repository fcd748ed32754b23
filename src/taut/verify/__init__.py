"""Published and closed-form cases with their numbers, tolerances and sources, always compared with a run."""

from taut.verify.cases import CASES, Case, choose_cases, is_passed, verify, verify_case
from taut.verify.quantity import Quantity
from taut.verify.table import table_lines

__all__ = ["CASES", "Case", "Quantity", "choose_cases", "is_passed", "table_lines", "verify", "verify_case"]
