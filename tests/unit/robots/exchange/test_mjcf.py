"""MJCF: a robot with tendons against MuJoCo, at a state and over a time; what is left out is named."""

import numpy as np
import pytest

import taut
from taut.robots.exchange.mjcf import read_mjcf
from taut.scenario.io.reading import make_scenario

mujoco = pytest.importorskip("mujoco")
twin = pytest.importorskip("mujoco_twin", exc_type=ImportError)

pytestmark = pytest.mark.peers

# two joints in one body, through different points, with reference positions; defaults; a ball; a free box
ROBOT = """<mujoco model="tendon robot"><compiler angle="radian"/>
<default><joint damping="0.1"/><default class="soft"><site size="0.02"/></default></default>
<worldbody><site name="e1" pos="-1 0 2"/><site name="e2" pos="1 0 2"/><site name="e3" pos="0 1 2"/>
<body name="arm" pos="0 0 1" euler="0.1 0.2 0.3">
 <joint name="h" axis="0 1 0" pos="0 0 0.1" ref="0.2" stiffness="2 1 40" springref="0.3"/>
 <joint name="s" type="slide" axis="1 0 0" damping=".2" stiffness="3" range="-1 1"/>
 <geom name="g" type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="p" pos=".1 0 .05"/>
 <body name="hand" pos=".3 0 0"><joint name="b" type="ball" damping=".01" stiffness="0.5"/>
  <geom type="box" size=".1 .05 .02" pos=".1 0 0"/><site name="q" pos=".2 0 0"/></body></body>
<body name="box" pos="0.5 0.2 0.5"><freejoint/><geom type="box" size=".1 .2 .1" mass="2"/>
 <site name="c" pos="0 0 .1"/><site name="c2" pos="0 0.1 .1"/></body></worldbody>
<tendon>
 <spatial name="t1" stiffness="50" damping="0.5" springlength="0 1.0"><site site="e1"/><site site="p"/><site site="q"/>
 </spatial><spatial name="t2" stiffness="300" springlength="1.2" damping="1"><site site="e2"/><site site="c"/></spatial>
 <spatial name="t3" range="0 2.5"><site site="e3"/><site site="c2"/></spatial></tendon>
<actuator><motor name="m" joint="h" gear="2" ctrlrange="-1 1"/><position name="p" joint="s" kp="20" kv="2"/></actuator>
<keyframe><key name="home" qpos="0.4 0.05 0.98 0.1 0.1 0.1 0.5 0.2 0.5 1 0 0 0"
 qvel="0.2 0.1 0.3 0.2 0.1 0.1 0.2 0.1 0.3 0.2 0.1"/></keyframe></mujoco>"""


def file_of(folder, text=ROBOT):
    (folder / "robot.xml").write_text(text, encoding="utf-8")
    return folder / "robot.xml"


def shaken(model, seed):
    """A state near the start that moves."""
    data, rng = taut.start_state(model).data, np.random.default_rng(seed)
    data.v[:] = rng.normal(size=len(data.v))
    for column in model.tables.columns:
        first = int(column.coordinate)
        if column.component < 0:
            data.q[first] += 0.1 * rng.normal()
        elif column.component == 0:
            turned = data.q[first : first + 4] + 0.2 * rng.normal(size=4)
            data.q[first : first + 4] = turned / np.linalg.norm(turned)
    return data


@pytest.mark.parametrize("seed", range(3))
def test_masses_and_accelerations_are_those_of_mujoco(seed, tmp_path):
    model, machine, joints = twin.read(file_of(tmp_path))
    both = twin.Twins(model, shaken(model, seed), machine, joints)
    assert twin.difference(both.masses()) < 1e-12
    assert twin.difference(both.accelerations()) < 1e-9


@pytest.mark.slow
def test_it_moves_as_in_mujoco(tmp_path):
    path = file_of(tmp_path)
    data = read_mjcf(path, keyframe="home").data | {"run": {"duration": 0.2, "save_every": 0.1, "tolerance": 1e-9}}
    result = taut.simulate(taut.build(make_scenario(data)))
    assert result.status == "completed" and result.audit["verdict"] == "pass"
    machine = mujoco.MjModel.from_xml_path(str(path))
    machine.opt.timestep, machine.opt.integrator = 1e-4, mujoco.mjtIntegrator.mjINT_RK4
    other = mujoco.MjData(machine)
    mujoco.mj_resetDataKeyframe(machine, other, 0)
    for _ in range(2000):
        mujoco.mj_step(machine, other)
    for name in ("hand", "box"):
        ours = result.dataset["body_position"].sel(body=name).values[-1]
        assert ours == pytest.approx(other.body(name).xpos, abs=1e-7)


def test_tendons_become_cables_and_springs(tmp_path):
    found = read_mjcf(file_of(tmp_path))
    first, last = make_scenario(found.data).cables
    assert (first.kind, first.axial_stiffness, first.length, len(first.via)) == ("spring", 50.0, 1.0, 1)
    assert (last.kind, last.length) == ("ideal", 2.5)
    assert found.data["springs"][0]["stiffness"] == 300.0
    pulling = read_mjcf(file_of(tmp_path), is_pulling=True)
    assert [cable["name"] for cable in pulling.data["cables"]] == ["t1", "t2", "t3"]
    assert any(line.startswith("pushing of tendons") and line.endswith("t2") for line in pulling.not_taken)


def test_actuators_become_commands(tmp_path):
    scenario = make_scenario(read_mjcf(file_of(tmp_path)).data)
    assert scenario.signals["u_m"].limits == (-2.0, 2.0)
    joint = scenario.bodies["arm h"].joint
    assert joint.force == "u_m" and joint.actuated


MORE = """<mujoco><worldbody><site name="a" pos="0 0 2"/><site name="b" pos="1 0 2"/>
<geom name="floor" type="plane" size="1 1 1"/><geom name="far" type="sphere" size=".1" pos="5 5 5"/>
<geom name="drum" type="cylinder" size=".2 .1" pos="0.25 0 1" euler="90 0 0"/>
<camera name="eye"/><body name="x" gravcomp="1" pos="0.5 0 0"><joint name="j" type="slide" axis="0 0 1" armature="0.1"
frictionloss="2" limited="true" range="-1 1"/><geom name="mass" size=".1"/><site name="c"/><site name="unused"/>
<body name="y" pos="0.3 0 0"><joint name="k"/><geom size=".1" pos=".1 0 0"/></body></body></worldbody>
<tendon><fixed name="coupling"><joint joint="j" coef="1"/></fixed>
<spatial name="bare"><site site="a"/><site site="c"/></spatial>
<spatial name="halved" stiffness="1"><site site="a"/><site site="c"/><pulley divisor="2"/><site site="b"/>
<site site="c"/></spatial>
<spatial name="wrapped" stiffness="1"><site site="a"/><geom geom="drum"/><site site="c"/></spatial>
<spatial name="clear" stiffness="1"><site site="a"/><geom geom="far"/><site site="c"/></spatial></tendon>
<equality><connect name="hook" body1="x" body2="y" anchor="0.3 0 0"/>
<joint name="mimic" joint1="j" joint2="k"/></equality>
<actuator><motor name="pull" tendon="bare" ctrlrange="-50 -5"/><muscle name="muscle" joint="j"/></actuator>
<sensor><jointpos name="sensor" joint="j"/></sensor><keyframe><key name="home" qpos="0 0"/></keyframe></mujoco>"""
NAMED = ["fixed tendons, which couple joints: coupling", "tendons that pulleys divide: halved",
         "tendons that wrap around shapes: wrapped (drum)",
         "shapes that tendons do not touch at the start: far of clear",
         "equality constraints: mimic", "actuators of tendons: pull", "sensors: sensor", "cameras: eye",
         "gravity compensation of bodies: x", "armature (rotor inertia) of joints: j",
         "keyframes (--keyframe starts at one): home", "sites that no tendon runs through: unused"]  # fmt: skip


def test_what_is_left_out_is_named(tmp_path):
    found = read_mjcf(file_of(tmp_path, MORE))
    assert [line for line in NAMED if line not in found.not_taken] == []
    assert any(line.startswith("actuators with activation") and "muscle" in line for line in found.not_taken)
    assert any(line.startswith("shapes, for contact") and "floor" in line for line in found.not_taken)
    scenario = make_scenario(found.data)
    assert [cable.name for cable in scenario.cables] == ["clear"] or [spring.name for spring in scenario.springs] == [
        "clear"
    ]
    assert scenario.closures[0].kind == "point" and scenario.bodies["x"].joint.friction.coulomb == 2.0


def test_bare_tendons_become_cables_on_demand(tmp_path):
    cables = read_mjcf(file_of(tmp_path, MORE), stiffness=1e4).data["cables"]
    bare = next(cable for cable in cables if cable["name"] == "bare")
    assert bare["axial_stiffness"] == 1e4 and bare["tension_limits"] == [5.0, 50.0]
