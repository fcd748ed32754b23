"""CSV tables: columns by name or number, read once, and what is wrong with a file."""

import pytest

from taut.scenario import ScenarioError, dumps, loads

WITH_HEADER = "# wind\ntime;speed;gust\n0;1;5\n1;2;6\n2;4;8\n"


def scenario(folder, keys: str):
    text = f"taut: 1\nname: x\nsignals:\n  wind: {{kind: table, {keys}}}\n"
    return loads(text, "x.yaml", folder=folder)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "wind.csv").write_text(WITH_HEADER, encoding="utf-8")
    (tmp_path / "plain.csv").write_text("0,3\n1,4\n", encoding="utf-8")
    (tmp_path / "bad.csv").write_text("t,v\n0,1\n1,x\n", encoding="utf-8")
    (tmp_path / "back.csv").write_text("0,1\n2,1\n1,1\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("keys", "values"),
    [
        ("file: wind.csv", (1, 2, 4)),
        ("file: wind.csv, column: gust", (5, 6, 8)),
        ("file: wind.csv, column: 2, time_column: time", (5, 6, 8)),
        ("file: plain.csv, spline: linear", (3, 4)),
    ],
)
def test_columns(folder, keys, values):
    assert scenario(folder, keys).signals["wind"].values == values


def test_scenario_stands_on_its_own(folder):
    loaded = scenario(folder, "file: wind.csv")
    assert loads(dumps(loaded), folder="nowhere") == loaded


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("file: none.csv", "wind.file = 'none.csv': does not exist"),
        ("file: bad.csv", "line 3, column 1: must be a number"),
        ("file: back.csv", "times: must increase strictly, but 1 follows 2"),
        ("file: wind.csv, column: gusts", "did you mean 'gust'?"),
        ("file: wind.csv, column: 7", "must be the name of a column or a number from 0 to 2"),
        ("file: wind.csv, times: [0, 1]", "cannot go with file"),
        ("file: 3", "must be the name of a CSV file"),
        ("column: 1", "must be the name of a CSV file"),
        ("times: [0, 1], values: [0]", "must have one entry per time"),
        ("spline: linear", "needs a file, or times and values"),
    ],
)
def test_refused(folder, keys, text):
    with pytest.raises(ScenarioError) as caught:
        scenario(folder, keys)
    assert text in str(caught.value) and str(caught.value).startswith("x.yaml:4: signals.wind")
