"""Messages of `taut.simulate`: wrong arguments, and notice of compiling that takes time."""

import pytest

import taut
from taut.integrate.run.compiled import begin_to_compile


def test_a_scenario_is_no_model():
    with pytest.raises(TypeError, match=r"needs a model, not a Scenario: taut.simulate\(taut.build\(scenario\)\)"):
        taut.simulate(taut.library.load("double-pendulum"))  # type: ignore[arg-type]


def test_compiling_is_told(monkeypatch, capsys):
    model = taut.build(taut.library.load("double-pendulum"))
    monkeypatch.setattr("taut.integrate.run.compiled.is_engine_compiled", lambda model, name: name == "radau")
    monkeypatch.setattr("taut.integrate.run.compiled.compile_beside", lambda entry, arguments: None)
    begin_to_compile(model, "radau")
    assert capsys.readouterr().err == ""
    begin_to_compile(model, "explicit")
    assert capsys.readouterr().err == "compiling explicit for these kinds of cables (once, about half a minute) ...\n"
