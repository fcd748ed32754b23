"""The public interface is small, sorted and complete."""

import taut

# reviewed: a name more is a decision, and a line here
NAMES = """Actuation Data Factor Machine Model Result ResultError Scenario ScenarioError StepError Stepper build
describe forward_dynamics inverse_dynamics inverse_motion library load modes new_data new_factor open_result
open_study reduce robots simulate simulate_batch start_state statics study sweep verify with_numbers"""


def test_public_names_are_those_reviewed():
    assert taut.__all__ == NAMES.split()


def test_public_names_are_listed_once():
    assert len(set(taut.__all__)) == len(taut.__all__)


def test_public_names_exist():
    missing = [name for name in taut.__all__ if not hasattr(taut, name)]
    assert not missing


def test_public_names_are_documented():
    silent = [name for name in taut.__all__ if callable(getattr(taut, name)) and not getattr(taut, name).__doc__]
    assert not silent
