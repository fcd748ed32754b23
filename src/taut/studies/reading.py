"""Studies as the command line takes them: a file, settings, and perhaps the design of a sensitivity."""

from pathlib import Path

from taut.scenario.errors import Problem, ScenarioError, suggest
from taut.studies.answers.sensitivity import METHODS
from taut.studies.study import Study, load_study

DEFAULT_COUNT = 64  # number of base points (sobol) or trajectories (morris) if the study gives none


def read_study(path: Path, settings: list[str], sensitivity: str | None = None) -> Study:
    """The study in a file; for a sensitivity with the design it needs, of as many points as the study's design says."""
    if sensitivity is None:
        return load_study(path, settings)
    if sensitivity not in METHODS:
        message = "is no method of sensitivity"
        raise ScenarioError([Problem(message, source=sensitivity, remedy=suggest(sensitivity, list(METHODS)))])
    design = load_study(path, settings).record.design
    count = design.count or DEFAULT_COUNT
    text = f"design={{kind: {METHODS[sensitivity]}, count: {count}, seed: {design.seed}}}"
    return load_study(path, [*settings, text])
