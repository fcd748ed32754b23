"""Robots from files of CASPR: a published example, others written from published numbers, and hostile files."""

import json

import numpy as np
import pytest

import taut
from taut.robots.exchange.caspr import read_caspr
from taut.robots.lengths import lengths
from taut.robots.tensions import tensions
from taut.scenario.io.reading import make_scenario
from taut.verify.robots.toolbox_reference import reference

BODY = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE bodies_system SYSTEM "../../../templates/bodies.dtd">
<bodies_system><links><link_rigid num="1" name="{name}">
<joint type="{joint}" q_initial="{q}"/>
<physical><mass>{mass}</mass><com_location>{com}</com_location><end_location>0 0 0</end_location>
<inertia ref="com"><Ixx>{I[0][0]}</Ixx><Iyy>{I[1][1]}</Iyy><Izz>{I[2][2]}</Izz><Ixy>{I[0][1]}</Ixy><Ixz>{I[0][2]}</Ixz>
<Iyz>{I[1][2]}</Iyz></inertia></physical>
<parent><num>0</num><location>0 0 0</location></parent></link_rigid></links></bodies_system>"""
CABLE = """<cable_ideal name="{name}" attachment_reference="{ref}"><properties><force_min>{lo}</force_min>
<force_max>{hi}</force_max></properties><attachments><attachment><link>0</link><location>{exit}</location></attachment>
<attachment><link>1</link><location>{anchor}</location></attachment></attachments></cable_ideal>"""


def words(values):
    return " ".join(str(value) for value in values)


def write(folder, body, cables):
    (folder / "bodies.xml").write_text(body, encoding="utf-8")
    sets = f'<cables default_cable_set="basic"><cable_set id="basic">{"".join(cables)}</cable_set></cables>'
    (folder / "cables.xml").write_text(sets, encoding="utf-8")
    return folder / "bodies.xml", folder / "cables.xml"


def published(folder, name, pose):
    """A robot of the reference as CASPR writes it."""
    r = reference()["robots"][name]
    joint = {"spatial": "SPATIAL_EULER_XYZ", "planar": "PLANAR_XY", "point": "T_XYZ"}[r["kind"].split()[0].strip(",")]
    body = BODY.format(name=name, joint=joint, q=words(pose), mass=r["mass"], com=words(r["com"]),
                       I=r["inertia_com_platform_axes"])  # fmt: skip
    cables = [CABLE.format(name=f"cable {k}", ref="joint", lo=r["tension_min"][k], hi=r["tension_max"][k],
                           exit=words(r["exits"][k]), anchor=words(r["anchors"][k]))
              for k in range(len(r["exits"]))]  # fmt: skip
    return write(folder, body, cables)


@pytest.mark.parametrize("name", ["cogiro", "ipanema3", "kntu", "crane3"])
def test_lengths_and_tensions_of_published_robots(name, tmp_path):
    case = next(case for case in reference()["tension"] if case["robot"] == name)
    scenario = make_scenario(read_caspr(*published(tmp_path, name, case["pose"])).data)
    written = next(one for one in reference()["inverse_kinematics"] if one["pose"] == case["pose"])
    assert lengths(scenario).lengths[0] == pytest.approx(written["point"]["lengths"], abs=1e-9)
    found = tensions(scenario, wrench=case["external_wrench"])
    assert found.tensions[0] == pytest.approx(case["qp_minimum_norm"], abs=1e-5)


def test_published_planar_example(tmp_path):
    example = reference()["import_example"]
    body = BODY.format(name="example", joint="PLANAR_XY", q=words(example["q_initial"]), mass=10, com="0 0 0",
                       I=np.diag([10, 10, 10]).tolist())  # fmt: skip
    cables = [CABLE.format(name=c["name"], ref="com", lo=0.01, hi=1000, exit=words(c["exit"]),
                           anchor=words(c["anchor"])) for c in example["cables"]]  # fmt: skip
    scenario = make_scenario(read_caspr(*write(tmp_path, body, cables)).data)
    assert lengths(scenario).lengths[0] == pytest.approx([0.625] * 4)
    assert scenario.cables[0].tension_limits == (0.01, 1000.0)


def test_the_command_writes_a_scenario_that_is_read(tmp_path):
    from typer.testing import CliRunner

    from taut.cli import app

    files = [str(path) for path in published(tmp_path, "cogiro", [0, 0, 2, 0, 0, 0])]
    answer = CliRunner().invoke(app, ["import", *files, "--stiffness", "1e6", "-o", str(tmp_path / "r.yaml"), "--json"])
    assert answer.exit_code == 0 and json.loads(answer.stdout)["not_taken"] == []
    assert taut.load(tmp_path / "r.yaml").cables[0].kind == "spring"


HOSTILE = {
    "entities": '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><bodies_system>&z;</bodies_system>',
    "files": '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><bodies_system>&x;</bodies_system>',
    "no XML": "<bodies_system>",
    "links": "<bodies_system><links><link_rigid/><link_rigid/></links></bodies_system>",
    "joint": '<bodies_system><links><link_rigid><joint type="R_X"/></link_rigid></links></bodies_system>',
    "pose": BODY.format(name="a", joint="T_XYZ", q="0 x 0", mass=1, com="0 0 0", I=np.eye(3).tolist()),
    "inertia": BODY.format(name="a", joint="SPATIAL_EULER_XYZ", q="0 " * 6, mass=1, com="0 0 0", I=[[0] * 3] * 3),
    "numbers": BODY.format(name="a", joint="T_XYZ", q="0 0 0", mass="heavy", com="0 0 0", I=np.eye(3).tolist()),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_cannot_be_taken_is_one_clear_answer(kind, tmp_path):
    with pytest.raises(taut.ScenarioError) as error:
        read_caspr(*write(tmp_path, HOSTILE[kind], []))
    assert len(error.value.problems) == 1


def test_cables_over_several_bodies_are_refused(tmp_path):
    bodies, cables = published(tmp_path, "crane3", [2.5, 1.5, 2.0])
    text = cables.read_text(encoding="utf-8")
    cables.write_text(text.replace("<link>1</link>", "<link>2</link>"), encoding="utf-8")
    with pytest.raises(taut.ScenarioError, match="from the ground"):
        read_caspr(bodies, cables)
    cables.write_text(text.replace("cable_ideal", "cable_vsd"), encoding="utf-8")
    with pytest.raises(taut.ScenarioError, match="kind cable_vsd are not taken"):
        read_caspr(bodies, cables)
