"""Courses of commands: the commanded quantity follows with its lag, and its integrals do not jump."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from taut.control.courses import course_at, limited, set_course
from taut.model.commands import ENTRIES
from taut.scenario.control.command import SignalCommand

ORDER = {"value": 0, "ramp": 0, "rate": 1, "acceleration": 2}
TIMES = [0.0, 0.3, 0.5, 1.1]
COMMANDS = [1.0, -2.0, 0.5, 3.0]


def follow(spec, until):
    """Set the commands one after the other; value, rate and second rate at a later time."""
    row = np.zeros(ENTRIES)
    for time, command in zip(TIMES, COMMANDS, strict=True):
        if time <= until:
            set_course(row, spec, command, time, 0.2)
    return course_at(row, until)


def command_at(time):
    return COMMANDS[np.searchsorted(TIMES, time, side="right") - 1]


@pytest.mark.parametrize("acts", ["value", "rate", "acceleration"])
def test_lag_is_the_exact_solution_of_its_equation(acts):
    spec, order = SignalCommand(acts=acts, lag=0.15), ORDER[acts]

    def slope(time, state):
        chain = np.zeros(order + 1)
        chain[:-1] = state[1:]
        chain[-1] = (command_at(time) - state[-1]) / 0.15
        return chain

    state = np.zeros(order + 1)
    for begin, end in zip(TIMES, [*TIMES[1:], 1.7], strict=True):
        state = solve_ivp(slope, (begin, np.nextafter(end, 0)), state, rtol=1e-12, atol=1e-14).y[:, -1]
    assert follow(spec, 1.7)[: order + 1] == pytest.approx(state, abs=1e-9)


@pytest.mark.parametrize("acts", ["rate", "acceleration"])
def test_without_lag_the_command_is_the_derivative(acts):
    assert follow(SignalCommand(acts=acts), 0.9)[ORDER[acts]] == pytest.approx(0.5)
    before, after = follow(SignalCommand(acts=acts), 0.5 - 1e-12), follow(SignalCommand(acts=acts), 0.5)
    assert before[: ORDER[acts]] == pytest.approx(after[: ORDER[acts]], abs=1e-10)


def test_ramp_arrives_after_one_period():
    assert follow(SignalCommand(acts="ramp"), 0.5 - 1e-13)[0] == pytest.approx(-2.0)
    assert follow(SignalCommand(acts="ramp"), 1.3)[0] == pytest.approx(3.0)


def test_limits_and_rate():
    spec = SignalCommand(limits=(-1.0, 2.0), rate_limit=10.0)
    assert limited(spec, 5.0, 1.9, 0.1) == 2.0
    assert limited(spec, 5.0, 0.5, 0.1) == 1.5
    assert limited(spec, -5.0, 0.5, 0.1) == -0.5
