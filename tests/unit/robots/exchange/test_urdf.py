"""URDF: an arm from published numbers against Pinocchio and MuJoCo; what is left out is named."""

import numpy as np
import pytest

import taut
from engine import dense_mass, place
from taut.analyses.forward_dynamics import forward_dynamics
from taut.robots.exchange.urdf import read_urdf
from taut.scenario.io.reading import make_scenario

# PUMA 560 [Corke, Armstrong-Helouvry 1994, A search for consensus]: mass, centre of mass, inertia about it, in the
# frame of standard Denavit-Hartenberg; a, d, alpha. Link 1 has no published mass: 13 kg are ours.
PUMA = [
    (13.0, (0, -0.05, 0), (0.2, 0.35, 0.2), (0, 0, np.pi / 2)),
    (17.4, (-0.3638, 0.006, 0.2275), (0.13, 0.524, 0.539), (0.4318, 0, 0)),
    (4.8, (-0.0203, -0.0141, 0.070), (0.066, 0.086, 0.0125), (0.0203, 0.15005, -np.pi / 2)),
    (0.82, (0, 0.019, 0), (1.8e-3, 1.3e-3, 1.8e-3), (0, 0.4318, np.pi / 2)),
    (0.34, (0, 0, 0), (0.3e-3, 0.4e-3, 0.3e-3), (0, 0, -np.pi / 2)),
    (0.09, (0, 0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3), (0, 0, 0)),
]
JOINT = """<joint name="j{k}" type="{kind}"><parent link="l{k}"/><child link="l{next}"/>
<origin xyz="{a} 0 {d}" rpy="{alpha} 0 0"/><axis xyz="0 0 1"/><dynamics damping="{damping}"/></joint>"""
LINK = """<link name="l{k}"><inertial><origin xyz="{x} {y} {z}" rpy="{alpha} 0 0"/><mass value="{mass}"/>
<inertia ixx="{I[0]}" iyy="{I[1]}" izz="{I[2]}" ixy="0" ixz="0" iyz="0"/></inertial></link>"""


def puma(slider="revolute"):
    """The arm; its third joint may slide instead."""
    parts, before = ['<link name="l0"/>'], (0, 0, 0)
    for k, (mass, com, inertia, (a, d, alpha)) in enumerate(PUMA):
        c, s = np.cos(alpha), np.sin(alpha)
        x, y, z = np.array([[1, 0, 0], [0, c, -s], [0, s, c]]) @ com + [a, 0, d]
        parts.append(LINK.format(k=k + 1, mass=mass, x=x, y=y, z=z, alpha=alpha, I=inertia))
        a_, d_, alpha_ = before
        kind = slider if k == 2 else "continuous"
        parts.append(JOINT.format(k=k, next=k + 1, kind=kind, a=a_, d=d_, alpha=alpha_, damping=0.1 * k))
        before = (a, d, alpha)
    limit = '<limit lower="-1" upper="1" effort="10" velocity="2"/></joint>' if slider == "prismatic" else "</joint>"
    text = "".join(parts)
    at = text.find("</joint>", text.find('name="j2"'))
    return f'<robot name="puma">{text[:at]}{limit}{text[at + 8 :]}<transmission name="t1"/></robot>'


def moving(file, text):
    """File, model and a moving state."""
    file.write_text(text, encoding="utf-8")
    model, rng = taut.build(make_scenario(read_urdf(file).data)), np.random.default_rng(2)
    data = taut.new_data(model)
    data.q[:], data.v[:] = rng.uniform(-1, 1, 6), rng.uniform(-1, 1, 6)
    place(model, data)
    return file, model, data


@pytest.fixture(params=["continuous", "prismatic"])
def arm(request, tmp_path):
    return moving(tmp_path / "arm.urdf", puma(request.param))


@pytest.mark.peers
def test_masses_and_accelerations_are_those_of_pinocchio(arm):
    pin = pytest.importorskip("pinocchio")
    file, model, data = arm
    other = pin.buildModelFromXML(file.read_text(encoding="utf-8"))
    q = np.concatenate([[x] if joint.nq == 1 else [np.cos(x), np.sin(x)]
                        for x, joint in zip(data.q, list(other.joints)[1:], strict=True)])  # fmt: skip
    M = np.triu(pin.crba(other, other.createData(), q))
    assert dense_mass(model, data) == pytest.approx(M + np.triu(M, 1).T, abs=1e-9)
    force = -0.1 * np.arange(6) * data.v
    forward_dynamics(model, data)
    assert data.acceleration == pytest.approx(pin.aba(other, other.createData(), q, data.v, force), rel=1e-9)


@pytest.mark.peers
def test_masses_and_accelerations_are_those_of_mujoco(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    # MuJoCo refuses the published inertia of link 3, which no body can have
    file, model, data = moving(tmp_path / "arm.urdf", puma().replace('iyy="0.086"', 'iyy="0.078"'))
    machine = mujoco.MjModel.from_xml_string(file.read_text(encoding="utf-8"))
    other, M = mujoco.MjData(machine), np.zeros((6, 6))
    other.qpos[:], other.qvel[:] = data.q, data.v
    mujoco.mj_forward(machine, other)
    mujoco.mj_fullM(machine, other, M)
    assert dense_mass(model, data) == pytest.approx(M, abs=1e-9)
    forward_dynamics(model, data)
    assert data.acceleration == pytest.approx(other.qacc_smooth, rel=1e-9)


def test_what_is_left_out_is_named(arm):
    lines = " | ".join(read_urdf(arm[0]).not_taken)
    assert "<transmission>: t1" in lines
    is_limited = "prismatic" in arm[0].read_text(encoding="utf-8")
    assert ("largest effort of joints: j2" in lines) == is_limited == ("stops of joints in a run" in lines)


MESH = """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"
ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><mesh filename="gone.stl"/></geometry></collision></link>
<link name="frame"/><link name="c"/><joint name="j" type="floating"><parent link="a"/><child link="b"/></joint>
<joint name="f" type="fixed"><parent link="b"/><child link="frame"/><origin xyz="0 0 1"/></joint>
<joint name="k" type="revolute"><parent link="b"/><child link="c"/><mimic joint="j"/></joint></robot>"""


def test_frames_floating_bodies_and_missing_meshes(tmp_path):
    (tmp_path / "r.urdf").write_text(MESH, encoding="utf-8")
    found = read_urdf(tmp_path / "r.urdf")
    scenario = make_scenario(found.data)
    assert scenario.bodies["b"].joint.kind == "free" and scenario.bodies["frame"].joint.origin == (0, 0, 1)
    assert "shapes for contact of links: b (gone.stl)" in found.not_taken
    assert "links that move and have no mass: c" in found.not_taken


def test_a_base_that_moves_freely(tmp_path):
    (tmp_path / "r.urdf").write_text(puma().replace('<link name="l0"/>', LINK.format(
        k=0, mass=2, x=0, y=0, z=0, alpha=0, I=(1, 1, 1))), encoding="utf-8")  # fmt: skip
    assert taut.build(make_scenario(read_urdf(tmp_path / "r.urdf", is_free=True).data)).column_count == 12
