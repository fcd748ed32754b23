"""Scenarios: what a user says about a machine and a run, read from YAML or made in Python."""

from .builder import Machine
from .errors import Problem, ScenarioError
from .overrides import with_overrides
from .reading import load, loads, make_scenario
from .scenario import Scenario
from .schema import json_schema
from .writing import dumps, save

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
