"""`taut linearize`, `taut serve` and `taut fmu`."""

import json

import pytest

from command_line import call as run


def test_linearize_writes_and_answers(tmp_path):
    options = ["--output", "load.position.x", "--period", "0.02", "--json", "-o", str(tmp_path / "a.npz")]
    done = run("linearize", "crane-hoisting", *options)
    answer = json.loads(done.stdout)
    assert answer["inputs"] == ["push"] and answer["period"] == 0.02 and (tmp_path / "a.npz").is_file()


def test_serve_ends_after_its_time_and_says_what_was():
    done = run("serve", "crane-hoisting", "--port", "0", "--for", "0.1")
    assert done.exit_code == 0, f"{done.stderr}{done.exception!r}"
    assert "127.0.0.1" in done.stderr and "overruns" in done.stderr


def test_serve_shows_the_machine_or_says_why_not(monkeypatch):
    done = run("serve", "crane-hoisting", "--port", "0", "--for", "0.1")
    assert "live view at http://127.0.0.1:" in done.stderr
    assert "live view" not in run("serve", "crane-hoisting", "--port", "0", "--for", "0.1", "--no-view").stderr
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = run("serve", "crane-hoisting", "--port", "0", "--for", "0.1")
    assert done.exit_code == 0 and "pip install 'taut[view]'" in done.stderr


@pytest.mark.parametrize(("words", "text"), [
    (("linearize", "crane-2d", "--input", "pusch"), "did you mean 'push'"),
    (("linearize", "crane-2d", "-o", "a.txt"), "must end in .npz or .mat"),
    (("serve", "crane-2d", "--observe", "lod.position"), "did you mean 'load.position'"),
    (("serve", "crane-2d", "--period", "0"), "positive finite"),
    (("serve", "crane-2d", "--for", "-1", "--port", "0"), "positive finite"),
    (("serve", "crane-2d", "--host", "nonsense.invalid"), "choose another --port or --host"),
    (("linearize", "crane-2d", "-o", "/nonexistent/a.npz"), "cannot be written"),
    (("linearize", "crane-2d", "--plot", "/proc/nonexistent"), "cannot be written"),
    (("fmu", "crane-2d", "-o", "a.zip"), "must end in .fmu"),
])  # fmt: skip
def test_mistakes_are_told(words, text):
    done = run(*words)
    assert done.exit_code == 2 and text in done.stderr
