"""Runs that come back to Python after few steps, so that they can be stopped anywhere."""

from taut.integrate.step.method import Method


def shorten_calls(monkeypatch, steps):
    """Let every method take a given number of steps a call, instead of its own number."""
    monkeypatch.setattr(Method, "steps_per_call", property(lambda _: steps, lambda _, wanted: None))
