"""`taut view`, `report`, `animate` and `export`: answers, files, exit codes."""

import json
import threading
import time
import urllib.request

import pytest

from command_line import call
from taut.cli.viewing import open_page
from unit.results.synthetic import synthetic_result


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = synthetic_result(samples=31)
    result.dataset = result.dataset[["body_position", "body_quaternion", "cable_nodes", "cable_tension", "cable_slack"]]
    result.save("run.nc")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "key", "name"),
    [
        (("report", "run.nc"), "report", "run.html"),
        (("animate", "run.nc", "-o", "film.gif", "--fps", "1", "--size", "160x90", "--no-plots"), "film", "film.gif"),
        (("animate", "run.nc", "--fps", "1", "--size", "160x90", "--no-plots", "--speed", "3"), "film", "run.mp4"),
        (("export", "run.nc", "-o", "table.csv", "--variable", "body_position"), "file", "table.csv"),
        (("export", "run.nc", "-o", "moment.glb", "--time", "2"), "file", "moment.glb"),
    ],
)
def test_files_are_written_and_told(folder, arguments, key, name):
    answer = call(*arguments, "--json")
    assert answer.exit_code == 0, answer.output
    assert json.loads(answer.stdout) == {key: name} and (folder / name).stat().st_size > 500


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("report", "none.nc"), "cannot be read"),
        (("animate", "run.nc", "--size", "big"), "must be WIDTHxHEIGHT"),
        (("animate", "run.nc", "--camera", "back"), "known: iso"),
        (("export", "run.nc", "-o", "table.xlsx"), "is of no known kind"),
        (("view", "none.nc"), "cannot be read"),
        (("view", "run.nc", "--port", "99999"), "must be from 0 to 65535"),
        (("view", "run.nc", "four-bar"), "only results are overlaid"),
        (("view", "no-such-machine"), "no-such-machine"),
        (("plot", "run.nc", "--style", "poster"), "there is no style"),
    ],
)
def test_mistakes_are_told_without_a_traceback(arguments, reason):
    answer = call(*arguments)
    assert answer.exit_code == 2 and reason in answer.stderr and "Traceback" not in answer.output


def test_view_says_where_and_serves_until_it_is_closed(monkeypatch):
    pages = []
    monkeypatch.setattr("taut.cli.viewing.open_page", lambda *a, **k: pages.append(open_page(*a, **k)) or pages[0])
    answers = []
    thread = threading.Thread(target=lambda: answers.append(call("view", "run.nc", "--no-open")))
    thread.start()
    deadline = time.monotonic() + 20.0
    while not pages and time.monotonic() < deadline:
        time.sleep(0.02)
    with urllib.request.urlopen(pages[0].address, timeout=10) as answer:
        assert answer.status == 200
    pages[0].close()
    thread.join(timeout=10)
    assert not thread.is_alive() and answers[0].exit_code == 0
    assert answers[0].stdout.startswith("open http://127.0.0.1:")
