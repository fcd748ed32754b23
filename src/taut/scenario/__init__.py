"""Scenarios: what a user says about a machine and a run, read from YAML or made in Python."""

from taut.scenario.io.overrides import with_overrides
from taut.scenario.io.reading import load, loads, make_scenario
from taut.scenario.io.schema import json_schema
from taut.scenario.io.writing import dumps, save

from .builder import Machine
from .errors import Problem, ScenarioError
from .scenario import Scenario

__all__ = [
    "Machine",
    "Problem",
    "Scenario",
    "ScenarioError",
    "dumps",
    "json_schema",
    "load",
    "loads",
    "make_scenario",
    "save",
    "with_overrides",
]
