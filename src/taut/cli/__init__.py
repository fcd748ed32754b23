"""The command line. Commands import what they need when they run, so that `taut list` is quick."""

from .app import app, main

__all__ = ["app", "main"]
