"""Commands of taut, called in this process."""

from typer.testing import CliRunner

from taut.cli import app


def call(*words):
    """What a command answers: exit code, standard output and error output."""
    return CliRunner().invoke(app, [str(word) for word in words])
