"""The framework of verify: choice of cases, the shape of the answer, exit codes. What passes is tested elsewhere."""

import json
import math

import pytest
from typer.testing import CliRunner

import taut
from taut.cli import app
from taut.verify import Quantity, choose_cases, is_passed, table_lines
from taut.verify.mechanisms import pendulum
from taut.verify.quantity import at_most, near

KEYS = {"value", "expected", "tolerance", "source", "unit", "pass"}


def verify(*arguments: str):
    return CliRunner().invoke(app, ["verify", *arguments])


def test_json_has_the_agreed_shape():
    answer = verify("pendulum", "--json")
    found = json.loads(answer.stdout)
    assert answer.exit_code == 0 and list(found) == ["pendulum"]
    assert all(set(quantity) == KEYS and quantity["pass"] is True for quantity in found["pendulum"].values())


def test_table_and_python():
    assert "pendulum: 3 of 3 pass" in verify("pendulum").stdout
    assert is_passed(taut.verify("pendulum"))


def test_a_difference_is_exit_1(monkeypatch):
    wrong = [Quantity("sum", 2.0, 1.0, 0.5, "arithmetic")]
    monkeypatch.setattr(pendulum, "quantities", lambda: wrong)
    answer = verify("pendulum")
    assert answer.exit_code == 1 and "FAIL  sum" in answer.stdout


def test_unknown_case():
    answer = verify("pendulun")
    assert answer.exit_code == 2 and "did you mean 'pendulum'?" in answer.stderr


def test_choice():
    assert choose_cases(["pendulum", "pendulum"]) == ["pendulum"]
    assert "resume" not in choose_cases([]) and "resume" in choose_cases([], is_all=True)


@pytest.mark.parametrize(
    ("quantity", "is_good"),
    [
        (near("a", 1.009, (1.0, 0.01), "s"), True),
        (near("a", -1.02, (-1.0, 0.01), "s"), False),
        (at_most("a", 1e-9, 1e-9, "s"), True),
        (at_most("a", math.nan, 1.0, "s"), False),
    ],
)
def test_comparison(quantity, is_good):
    assert quantity.is_passed is is_good
    assert json.loads(json.dumps(quantity.as_dict(), allow_nan=False))["pass"] is is_good
    assert len(list(table_lines("pendulum", {"a": quantity.as_dict()}))) == 3


def test_quantities_of_the_same_name_do_not_hide_each_other(monkeypatch):
    from taut.verify.cases import verify_case
    from taut.verify.mechanisms import pendulum
    from taut.verify.quantity import at_most

    twice = [at_most("way", 2.0, 1.0, "wrong"), at_most("way", 0.5, 1.0, "right")]
    monkeypatch.setattr(pendulum, "quantities", lambda: iter(twice))
    assert len(verify_case("pendulum")) == 2
