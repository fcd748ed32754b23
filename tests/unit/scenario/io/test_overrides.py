"""`--set`: paths by number and by name, values in YAML."""

import pytest

from taut.scenario import loads, with_overrides
from taut.scenario.io.source import join_path, split_path

DATA = {"run": {"duration": 1}, "cables": [{"name": "C1", "length": 1}, {"name": "C2", "exit": [0, 0, 0]}]}


@pytest.mark.parametrize(
    ("setting", "path", "value"),
    [
        ("run.duration=2.5", "run.duration", 2.5),
        ("cables[0].length=0.8", "cables[0].length", 0.8),
        ("cables.C2.exit=[1, 2, 3]", "cables[1].exit", [1, 2, 3]),
        ("cables.C2.exit[1]=7", "cables[1].exit[1]", 7),
        ("initial.solve=none", "initial.solve", "none"),
        ("platform={mass: 2}", "platform.mass", 2),
        ("name=a=b", "name", "a=b"),
        ("description=", "description", None),
    ],
)
def test_setting(setting, path, value):
    data = with_overrides(DATA, [setting])
    for step in split_path(path):
        data = data[step]
    assert data == value


def test_data_are_left_alone():
    with_overrides(DATA, ["cables[0].length=0.8", "run.duration=9"])
    assert DATA["run"]["duration"] == 1 and DATA["cables"][0]["length"] == 1


def test_paths_there_and_back():
    assert join_path(split_path("cables[2].exit[0]")) == "cables[2].exit[0]"
    assert split_path("bodies.left boom.joint") == ("bodies", "left boom", "joint")


def test_defaults_can_be_set():
    text = "taut: 1\nname: x\nbodies: {a: {joint: {kind: point}}}\n"
    assert loads(text, overrides=["defaults.body.mass=3"]).bodies["a"].mass == 3
