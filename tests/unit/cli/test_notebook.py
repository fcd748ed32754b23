"""Commands as magics of a notebook."""

import pytest

from taut.cli.notebook import CommandFailed, load_ipython_extension, run_command


def test_command_prints_what_it_prints_in_a_terminal(capsys):
    run_command("list  # the machines")
    assert "mamidi-pick-and-place" in capsys.readouterr().out


def test_failure_stops_the_notebook_with_the_commands_own_message(capsys):
    with pytest.raises(CommandFailed, match="exit code 2") as raised:
        run_command("check mamidi-pick-and-place --set platform.mass=-1")
    assert "must not be less than 0" in capsys.readouterr().err
    assert raised.value._render_traceback_() == ["taut ended with exit code 2"]


def test_unknown_command_is_refused(capsys):
    with pytest.raises(CommandFailed):
        run_command("chekc file.yaml")
    assert "chekc" in capsys.readouterr().err


def test_extension_registers_the_magic():
    class Shell:
        def register_magic_function(self, function, kind, name):
            self.registered = (function, kind, name)

    shell = Shell()
    load_ipython_extension(shell)
    assert shell.registered == (run_command, "line", "taut")
