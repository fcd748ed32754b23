"""`taut import` and `taut export --mujoco` on the command line: answers, and one clear error for each bad file."""

import json
import sys

import pytest

import taut
from command_line import call

ARM = """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"
ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint></robot>"""
LAUGHS = '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]>'
OUTSIDE = '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
BAD = {
    "broken": ("<robot><link", "is no XML"),
    "empty": ("", "is no XML"),
    "laughs": (f"{LAUGHS}<robot name='&c;'/>", "declares entities"),
    "outside": (f"{OUTSIDE}<mujoco><worldbody>&a;</worldbody></mujoco>", "declares entities"),
    "laughs of MuJoCo": (f"{LAUGHS}<mujoco model='&c;'/>", "declares entities"),
    "root": ("<sdf/>", "no format that is read"),
    "no links": ("<robot name='a'/>", "has no links"),
    "xacro": ('<robot xmlns:xacro="http://ros.org/wiki/xacro"><xacro:macro/><link name="a"/></robot>', "xacro"),
    "twice": (ARM.replace('name="b"', 'name="a"'), "two links named"),
    "nowhere": (ARM.replace('child link="b"', 'child link="c"'), "is no link"),
    "ring": (ARM.replace('parent link="a"', 'parent link="b"'), "ring"),
    "kind": (ARM.replace("revolute", "screw"), "'screw' is not taken"),
    "number": (ARM.replace('value="1"', 'value="heavy"'), "needs 1 numbers"),
    "infinite": (ARM.replace('value="1"', 'value="inf"'), "needs 1 numbers"),
    "axis": (ARM.replace("<child", '<axis xyz="0 0 0"/><child'), "no direction"),
    "CASPR alone": ("<bodies_system/>", "file of the cables"),
    "mesh": ("<mujoco><asset><mesh name='m' file='gone.stl'/></asset><worldbody><body><geom type='mesh' mesh='m'/>"
             "</body></worldbody></mujoco>", "gone.stl"),
    "unknown": ("<mujoco><bar/></mujoco>", "unrecognized element"),
    "include": ("<mujoco><include file='gone.xml'/></mujoco>", "gone.xml"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_files_are_one_clear_answer(kind, tmp_path):
    text, message = BAD[kind]
    if kind in ("mesh", "unknown"):
        pytest.importorskip("mujoco")
    (tmp_path / "bad.xml").write_text(text, encoding="utf-8")
    answer = call("import", tmp_path / "bad.xml", "--json")
    assert answer.exit_code == 2 and "internal error" not in answer.stderr
    problems = json.loads(answer.stdout)["problems"]
    assert len(problems) == 1 and message in problems[0]["message"] + problems[0]["path"]


def test_hostile_files_that_are_included(tmp_path):
    (tmp_path / "inner.xml").write_text(f"{LAUGHS}<mujoco>&c;</mujoco>", encoding="utf-8")
    (tmp_path / "outer.xml").write_text('<mujoco><include file="inner.xml"/></mujoco>', encoding="utf-8")
    answer = call("import", tmp_path / "outer.xml")
    assert answer.exit_code == 2 and "declares entities" in answer.stderr and "inner.xml" in answer.stderr


def test_a_file_that_is_not_there():
    answer = call("import", "gone.urdf")
    assert answer.exit_code == 2 and "cannot be read" in answer.stderr


def test_without_mujoco_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    (tmp_path / "a.xml").write_text("<mujoco/>", encoding="utf-8")
    answer = call("import", tmp_path / "a.xml")
    assert answer.exit_code == 2 and "taut[mujoco]" in answer.stderr


@pytest.mark.parametrize("option", [("--keyframe", "home"), ("--pull-only",), ("--stiffness", "1e5")])
def test_options_of_other_formats_are_refused(option, tmp_path):
    (tmp_path / "a.urdf").write_text(ARM, encoding="utf-8")
    answer = call("import", tmp_path / "a.urdf", *option)
    assert answer.exit_code == 2 and f"{option[0]} is not for URDF" in answer.stderr


def test_a_scenario_is_written_and_read(tmp_path):
    (tmp_path / "a.urdf").write_text(ARM, encoding="utf-8")
    answer = call("import", tmp_path / "a.urdf", "-o", tmp_path / "a.yaml", "--json")
    assert answer.exit_code == 0 and json.loads(answer.stdout)["not_taken"] == []
    assert taut.load(tmp_path / "a.yaml").bodies["b"].joint.axis == (1.0, 0.0, 0.0)


def test_a_machine_is_written_for_mujoco(tmp_path):
    answer = call(
        "export", "double-pendulum", "--mujoco", tmp_path / "out.xml", "--set", "bodies.upper.mass=2", "--json"
    )
    assert answer.exit_code == 0 and json.loads(answer.stdout)["not_said"] == []
    assert 'mass="2.0"' in (tmp_path / "out.xml").read_text(encoding="utf-8")


def test_files_that_cannot_be_written(tmp_path):
    (tmp_path / "a.urdf").write_text(ARM, encoding="utf-8")
    for words in (("export", "double-pendulum", "--mujoco"), ("import", tmp_path / "a.urdf", "-o")):
        answer = call(*words, tmp_path / "nowhere" / "a.xml")
        assert answer.exit_code == 2 and "cannot be written" in answer.stderr


@pytest.mark.parametrize("given", [(), ("-o", "a.csv", "--mujoco", "a.xml")])
def test_export_needs_one_file(given):
    assert call("export", "double-pendulum", *given).exit_code == 2
