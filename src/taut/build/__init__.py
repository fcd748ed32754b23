"""Scenario -> Model: names become indices, once.

``taut.build`` is this room and also the call users type, ``taut.build(scenario)``; so the module itself can be called.
"""

import sys
from types import ModuleType

from taut.build.build import build
from taut.model.model import Model
from taut.scenario.builder import Machine
from taut.scenario.scenario import Scenario

__all__ = ["build"]


class CallableRoom(ModuleType):
    """A module that builds."""

    def __call__(self, scenario: Scenario | Machine) -> Model:
        """Compile a scenario, or a machine that was described in Python, to a Model."""
        return build(scenario.scenario() if isinstance(scenario, Machine) else scenario)


sys.modules[__name__].__class__ = CallableRoom
