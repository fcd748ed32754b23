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


PATHS = """<trajectories><joint_trajectories><{kind} id="line" time_definition="relative" time_step="0.05"><points>
<point><q>0.3 0.5 0</q><q_dot>0 0 0</q_dot><q_ddot>0 0 0</q_ddot></point>
<point time="5"><q>0.7 0.5 {turn}</q><q_dot>0 0 0</q_dot><q_ddot>0 0 0</q_ddot></point>
</points></{kind}></joint_trajectories></trajectories>"""


def planar_files(folder, kind="quintic_spline_trajectory", turn=0.0):
    example = reference()["import_example"]
    body = BODY.format(name="example", joint="PLANAR_XY", q="0.5 0.5 0", mass=10, com="0 0 0", I=np.eye(3).tolist())
    cables = [CABLE.format(name=c["name"], ref="com", lo=0.01, hi=1000, exit=words(c["exit"]),
                           anchor=words(c["anchor"])) for c in example["cables"]]  # fmt: skip
    (folder / "paths.xml").write_text(PATHS.format(kind=kind, turn=turn), encoding="utf-8")
    return *write(folder, body, cables), folder / "paths.xml"


def test_a_published_trajectory_becomes_the_motion(tmp_path):
    from taut.robots.exchange.reading import Choices, read_machine
    from taut.robots.following import follow

    bodies, cables, paths = planar_files(tmp_path, turn=0.1)
    scenario = make_scenario(read_machine(bodies, cables, Choices(trajectories=paths, stiffness=1e5)).data)
    found = follow(scenario.model_copy(update={"gravity": (0.0, 0.0, 0.0)}), samples=21)
    at = int(np.argmin(np.abs(found.times - 1.25)))
    assert found.tensions.poses[at, 0] == pytest.approx(0.34140625)
    assert found.tensions.poses[-1] == pytest.approx([0.7, 0.5, 0.1])
    bodies, cables, paths = planar_files(tmp_path)
    straight = make_scenario(read_machine(bodies, cables, Choices(trajectories=paths, stiffness=1e5)).data)
    found = follow(straight.model_copy(update={"gravity": (0.0, 0.0, 0.0)}), samples=21)
    assert found.lengths.lengths[at] == pytest.approx([0.5448226, 0.7312471, 0.7312471, 0.5448226], abs=1e-7)
    # 84.375 mm/s along x: so much from the cables by their directions
    assert found.speeds[at] == pytest.approx(-0.084375 * found.lengths.directions[at][:, 0], abs=1e-12)


def test_trajectories_that_cannot_be_taken_are_named(tmp_path):
    from taut.robots.exchange.reading import Choices, read_machine

    bodies, cables, paths = planar_files(tmp_path, kind="parabolic_blend_trajectory")
    for choices, said in ((Choices(trajectories=paths), "parabolic_blend_trajectory is not taken"),
                          (Choices(trajectories=paths, trajectory="circle"), "has no trajectory 'circle'"),
                          (Choices(trajectory="line"), "needs a file of trajectories")):  # fmt: skip
        with pytest.raises(taut.ScenarioError, match=said):
            read_machine(bodies, cables, choices)


def test_pulleys_are_taken(tmp_path):
    pulley = (
        "<base_rotating_pulley><fixed_location>{}</fixed_location><pulley_radius>0.05</pulley_radius>"
        "<cable_entry_vector>0 0 {}</cable_entry_vector></base_rotating_pulley>"
    )
    bodies, cables = published(tmp_path, "cogiro", [0, 0, 2, 0, 0, 0])
    text = cables.read_text(encoding="utf-8")
    first = text.index("<attachment><link>0"), text.index("</attachment>") + len("</attachment>")
    where = text[first[0] : first[1]].partition("<location>")[2].partition("<")[0]
    cables.write_text(text[: first[0]] + pulley.format(where, 1) + text[first[1] :], encoding="utf-8")
    record = read_caspr(bodies, cables).data["cables"][0]
    assert record["pulley"] == {"radius": 0.05, "axis": [0.0, 0.0, 1.0]}
    cables.write_text(text[: first[0]] + pulley.format(where, 0) + text[first[1] :], encoding="utf-8")
    with pytest.raises(taut.ScenarioError, match="needs a radius and a cable_entry_vector"):
        read_caspr(bodies, cables)


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
