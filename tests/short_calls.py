"""Runs that come back to Python after few steps, so that they can be stopped anywhere."""

from taut.integrate.step.method import Method


def shorten_calls(monkeypatch, steps):
    """Let every method take so many steps a call, whatever it asks for itself."""
    monkeypatch.setattr(Method, "steps_per_call", property(lambda _: steps, lambda _, wanted: None))
