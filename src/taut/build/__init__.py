"""Scenario -> Model: names become indices, once."""

from taut.build.build import build

__all__ = ["build"]
