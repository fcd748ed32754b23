"""What `taut.simulate` says of what it is given, and of what takes time."""

import pytest

import taut
from taut.integrate.simulate import say_compiling


def test_a_scenario_is_no_model():
    with pytest.raises(TypeError, match=r"needs a model, not a Scenario: taut.simulate\(taut.build\(scenario\)\)"):
        taut.simulate(taut.library.load("double-pendulum"))  # type: ignore[arg-type]


def test_compiling_is_told(monkeypatch, capsys):
    monkeypatch.setattr("taut.integrate.compiled.is_engine_compiled", lambda name: name == "radau")
    say_compiling("radau")
    assert capsys.readouterr().err == ""
    say_compiling("explicit")
    assert capsys.readouterr().err == "compiling explicit (once per integrator, a minute or two) ...\n"
