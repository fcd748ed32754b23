"""A cable robot in MuJoCo, as a user who knows it well would build it.

Bends are two hinges of one body, stretches slides, with MuJoCo's own joint stiffness and damping; anchors are connect
constraints between sites. Integrator ``discrete``: springs, dampers and constraints are implicit (metric
M + h D + h^2 K), first order. With the others, at 1 ms, stiff anchors diverge and soft ones leave a gap of
millimetres to centimetres; RK4 diverges at once.

A driven exit is three slides with an enormous armature A, pushed by A times the second difference of its signal. With
x+ = x + h v+ and v+ = v + h f / A this reproduces the signal at every step, and adds no constraint. The whole run is
one native call (``rollout``).

PGS on the few rows of the anchors is somewhat faster than Newton on all columns for the same error, once its tolerance
is tightened; CG stops too early. The anchors' time constant is the step: a shorter or longer one changes nothing.
"""

import time
from importlib import import_module
from typing import Any

import numpy as np

from taut.bench import peers
from taut.bench.peers import MOTIONS
from taut.dynamics.signals import evaluate_signals
from taut.model import Model, new_data
from taut.model.enums import JointKind

# MuJoCo is optional, and has no type hints: hence Any
mujoco: Any = import_module("mujoco")
rollout: Any = import_module("mujoco.rollout")

STEPS = (1500, 3000, 6000, 24000, 48000)
ARMATURE = 1e10  # inertia of a driven joint, so large that the prescribed force alone determines its motion [kg]
NEARLY_NOTHING = 1e-9  # mass and inertia of parts that have none: MuJoCo wants some in every moving body [kg, kg m^2]
HARD = (0.9999, 0.9999, 1e-3, 0.5, 2.0)  # parameters of the hardest constraint that MuJoCo allows


def rows(model: Model, reference: peers.Reference, steps: tuple[int, ...] = STEPS) -> list[dict[str, Any]]:
    """Work and precision of MuJoCo: dt, steps, seconds, error."""
    return peers.work_precision(simulate, model, steps, reference)


def simulate(model: Model, dt: float) -> peers.Run:
    """Times [s], positions of the platform [m] and seconds of integration at a fixed step."""
    peers.check_supported(model)
    steps = peers.step_count(model, dt)
    machine = build_robot(model, dt)
    data = mujoco.MjData(machine)
    start = start_state(model, machine, data)
    push = driving_forces(model, machine, steps)
    begin = time.perf_counter()
    states, _ = rollout.rollout(machine, data, initial_state=start[None], control=push[None], nstep=steps,
                                control_spec=mujoco.mjtState.mjSTATE_QFRC_APPLIED)  # fmt: skip
    seconds = time.perf_counter() - begin
    # layout of a state: time, coordinates, velocities
    first = 1 + machine.joint(joint_name(peers.platform_node(model), 0)).qposadr[0]
    path = np.vstack([start, states[0]])[:, [0, first, first + 1, first + 2]]
    path = path[:: round(peers.sample_period(dt) / dt)]
    return path[:, 0], path[:, 1:], seconds


def start_state(model: Model, machine: Any, data: Any) -> np.ndarray:
    """MuJoCo's state at the start; cables that sag have bends there."""
    for i, node in enumerate(model.tables.nodes):
        if node.kind in (JointKind.BEND_XY, JointKind.BEND_YX):
            first = machine.joint(joint_name(i, 0)).qposadr[0]
            data.qpos[first : first + 2] = model.start_coordinates[node.coordinate :][:2]
    physics = mujoco.mjtState.mjSTATE_FULLPHYSICS
    start = np.zeros(mujoco.mj_stateSize(machine, physics))
    mujoco.mj_getState(machine, data, start, physics)
    return start


def build_robot(model: Model, dt: float) -> Any:
    """A model's tables, compiled by MuJoCo."""
    tables: Any = model.tables
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.option.gravity = tables.settings[0].gravity
    spec.option.timestep = dt
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_DISCRETE
    spec.option.solver = mujoco.mjtSolver.mjSOL_PGS
    spec.option.tolerance = 1e-12
    spec.option.disableflags = int(mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_REFSAFE)
    bodies = {0: spec.worldbody}
    for i in range(1, len(tables.nodes)):
        bodies[i] = add_body(bodies[int(tables.nodes[i].parent)], model, i)
    for k, closure in enumerate(tables.closures):
        ends = {f"{k}a": (closure.node_a, closure.point_a), f"{k}b": (closure.node_b, closure.point_b)}
        for name, (i, point) in ends.items():
            bodies[int(i)].add_site(name=name, pos=point)
        spec.add_equality(
            type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_SITE, name1=f"{k}a", name2=f"{k}b",
            solref=(dt, 1.0), solimp=HARD,
        )  # fmt: skip
    return spec.compile()


def add_body(parent: Any, model: Model, i: int) -> Any:
    """The body of one node with its joints."""
    node: Any = model.tables.nodes[i]
    position, quaternion = start_placement(model, node)
    body = parent.add_body(pos=position, quat=quaternion, explicitinertial=True)
    body.mass = max(float(node.mass), NEARLY_NOTHING)
    body.ipos = node.com
    if node.mass > 0.0:
        # MuJoCo's order of the entries is xx yy zz xy xz yz
        body.fullinertia = np.array(node.inertia)[[0, 3, 5, 1, 2, 4]]
    else:
        body.inertia = [NEARLY_NOTHING] * 3
    if node.kind == JointKind.FREE:
        body.add_freejoint(name=joint_name(i, 0))
    else:
        add_joints(body, model, i)
    return body


def start_placement(model: Model, node: Any) -> tuple[np.ndarray, np.ndarray]:
    """Place and turn of a body on its parent: stretches as at the start, bends straight."""
    q = model.start_coordinates[node.coordinate :]
    if node.kind == JointKind.FREE:
        return q[:3].copy(), q[3:7].copy()
    quaternion = np.zeros(4)
    mujoco.mju_mat2Quat(quaternion, np.array(node.rotation))
    if node.kind == JointKind.DRIVEN:
        return np.array(node.start), quaternion
    slid = node.rotation[2::3] * q[0] if node.kind == JointKind.STRETCH else 0.0
    return np.array(node.offset) + slid, quaternion


def add_joints(body: Any, model: Model, i: int) -> None:
    """Hinges and slides of one node with their springs and dampers."""
    node: Any = model.tables.nodes[i]
    for k, (is_rotation, axis) in enumerate(MOTIONS[JointKind(node.kind)]):
        kind = mujoco.mjtJoint.mjJNT_HINGE if is_rotation else mujoco.mjtJoint.mjJNT_SLIDE
        joint = body.add_joint(name=joint_name(i, k), type=kind, axis=np.eye(3)[axis])
        if node.kind == JointKind.DRIVEN:
            joint.armature = ARMATURE
            continue
        column: Any = model.tables.columns[node.column + k]
        # MuJoCo has linear springs and dampers only
        joint.stiffness[0], joint.damping[0] = column.stiffness, column.damping
        joint.springref = column.free
        joint.ref = 0.0 if is_rotation else model.start_coordinates[column.coordinate]


def joint_name(i: int, k: Any) -> str:
    """Name of joint k of a node."""
    return f"{i}.{k}"


def driving_forces(model: Model, machine: Any, steps: int) -> np.ndarray:
    """Forces on all columns at every step; those on driven exits make them follow their signals [N]."""
    forces = np.zeros((steps, machine.nv))
    signals = np.zeros((steps + 2, len(model.tables.signals)))
    data = new_data(model)
    for k in range(steps + 2):
        # one sample before the start, equal to that at the start: the machine is at rest there
        data.time[0] = max(k - 1, 0) * machine.opt.timestep
        evaluate_signals(model.tables, data)
        signals[k] = data.signals[:, 0]
    accelerations = np.diff(signals, 2, axis=0) / machine.opt.timestep**2
    nodes: Any = model.tables.nodes
    for i, node in enumerate(nodes):
        for k in np.flatnonzero(node.signal >= 0) if node.kind == JointKind.DRIVEN else ():
            forces[:, machine.joint(joint_name(i, k)).dofadr[0]] = ARMATURE * accelerations[:, node.signal[k]]
    return forces
