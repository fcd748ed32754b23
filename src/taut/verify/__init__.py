"""Published and closed-form cases with their numbers, tolerances and sources, always compared with a run.

``taut.verify`` is this room and also a call, ``taut.verify("mamidi-4.2")``; so the module itself can be called.
"""

import sys
from types import ModuleType
from typing import Any

from taut.verify.cases import CASES, Case, choose_cases, is_passed, verify, verify_case
from taut.verify.quantity import Quantity
from taut.verify.table import table_lines

__all__ = ["CASES", "Case", "Quantity", "choose_cases", "is_passed", "table_lines", "verify", "verify_case"]


class CallableRoom(ModuleType):
    """A module that verifies."""

    def __call__(self, *names: str, is_all: bool = False) -> dict[str, Any]:
        """Run cases and compare; without names all that are quick."""
        return verify(*names, is_all=is_all)


sys.modules[__name__].__class__ = CallableRoom
