"""Random and standard machines for the tests, made with the TreeBuilder."""

import numpy as np
from scipy.spatial.transform import Rotation

from taut.build.tree import ColumnSpec, ContactSpec, RigidBody, Spring, TetherSpec, TreeBuilder, default_position
from taut.model.enums import (
    DRIVEN_JOINTS,
    JOINT_COLUMNS,
    MODAL_JOINTS,
    QUATERNION_JOINTS,
    ClosureKind,
    ContactLaw,
    JointKind,
    LawKind,
)
from taut.model.laws import LAWS
from taut.scenario.signals.pieces import local_pieces

# every joint with a fixed number of columns (modal nodes have tests of their own)
NOT_DRAWN = {JointKind.WORLD, JointKind.DRIVEN, JointKind.SMALL, JointKind.FEED, *DRIVEN_JOINTS, *MODAL_JOINTS}
ALL_JOINTS = tuple(kind for kind in JointKind if kind not in NOT_DRAWN)
SCALAR_JOINTS = tuple(kind for kind in ALL_JOINTS if kind not in QUATERNION_JOINTS)
ALL_CLOSURES = tuple(kind for kind in ClosureKind if kind not in (ClosureKind.COORDINATE, ClosureKind.TURN))
MOTORS = (LawKind.MOTOR, LawKind.LAGGED_MOTOR)  # no springs: their force follows signals
ALL_LAWS = tuple(kind for kind in LawKind if kind not in (LawKind.NONE, *MOTORS))


def random_tree(rng, size, kinds=ALL_JOINTS, closures=()):
    """A model of one or more trees with ``size`` joints and closures of the given kinds between random nodes."""
    builder = TreeBuilder()
    handles = grow_tree(builder, rng, size, kinds)
    for kind in closures:
        add_random_closure(builder, rng, kind, rng.choice([0, *handles], size=2, replace=False))
    return builder.finish()


def full_machine(seed, size=11, kinds=ALL_JOINTS):
    """Everything at once: trees on the world and on a driven point, all laws, friction, actuators, applied wrenches,
    closures of every kind and one that is driven."""
    rng, builder = np.random.default_rng(seed), TreeBuilder()
    handles = grow_tree(builder, rng, size, kinds, columns=random_columns)
    signals, start = random_signals(builder, rng, 3), rng.normal(size=3)
    driven = builder.add_node("driven", JointKind.DRIVEN, signals=signals, start=start)
    handles += grow_tree(builder, rng, size // 2, kinds, root=driven, columns=random_columns)
    for is_follower in (False, True):
        signals = random_signals(builder, rng, 6)
        builder.add_wrench(rng.choice(handles), rng.normal(size=3), signals, is_follower=is_follower)
    # each closure holds a free body of its own, so that no row is redundant
    for law in (ContactLaw.BILATERAL, ContactLaw.UNILATERAL):
        contact = ContactSpec(law.name, rng.choice(handles), law, rng.normal(size=3), 5.0, 30.0, 2.0, 0.3, 0.5)
        builder.add_contact(contact)
    for kind in ALL_CLOSURES:
        body = add_random_node(builder, rng, JointKind.FREE, 0, columns=random_columns)
        add_random_closure(builder, rng, kind, (body, rng.choice(handles)))
    length = random_signals(builder, rng, 1)[0]
    add_random_closure(builder, rng, ClosureKind.DISTANCE, (handles[0], handles[-1]), signal=length)
    ends, signals = (handles[size - 1], handles[-1]), random_signals(builder, rng, 3)
    add_random_closure(builder, rng, ClosureKind.POINT, ends, signals=signals, directions=(True, False, True))
    # two joints that follow signals
    for kind in (JointKind.REVOLUTE, JointKind.PRISMATIC):
        body = add_random_node(builder, rng, kind, rng.choice(handles), columns=random_columns)
        builder.add_motion(f"motion {kind}", body, 0, random_signals(builder, rng, 1)[0])
    # cables without mass, slack unless a test says so: one between bodies that move, one from the world
    for ends in ((handles[0], handles[-1]), (0, handles[1])):
        points = (rng.normal(size=3), rng.normal(size=3))
        builder.add_tether(TetherSpec("tether", ends, points, 0.4, 30.0, 2.0, signal=length))
    return builder.finish()


def hanging_cable(direction=(0.0, 0.0, -1.0), elements=4):
    """A straight, stretched cable of two-bend elements with a body at its end, and the multipliers that hold the body.

    The cable points along ``direction``; gravity pulls the same way.
    """
    t = np.array(direction) / np.linalg.norm(direction)
    R = Rotation.align_vectors([t], [[0.0, 0.0, 1.0]])[0].as_matrix()
    builder, length = TreeBuilder(gravity=9.81 * t), 0.15
    half = np.diag([2e-6, 2e-6, 1e-8])
    first, second = (RigidBody(5e-3, (0.0, 0.0, sign * length / 4), half, is_rod=True) for sign in (1, -1))
    bend, stretch = Spring(LawKind.LINEAR, 11.6, 0.24), Spring(LawKind.LINEAR, 1.2e5, 2.4e3, free=length)
    parent = builder.add_node("exit", JointKind.FIXED, rotation=R)
    for k in range(elements):
        kind = JointKind.BEND_YX if k % 2 else JointKind.BEND_XY
        parent = builder.add_node(f"bend {k}", kind, parent, first, columns=[ColumnSpec(bend)] * 2)
        column, position = ColumnSpec(stretch, viscous=0.1), [1.01 * length]
        parent = builder.add_node(
            f"stretch {k}", JointKind.STRETCH, parent, second, columns=[column], position=position
        )
    quaternion = Rotation.from_matrix(R).as_quat()[[3, 0, 1, 2]]
    place = [*(elements * 1.01 * length + 0.1) * t, *quaternion]
    load = builder.add_node(
        "load", JointKind.FREE, body=RigidBody(0.5, (0.0, 0.0, 0.05), np.eye(3) / 50), position=place
    )
    builder.add_closure("anchor", ClosureKind.POINT, (parent, load), (np.zeros(3), (0.0, 0.0, -0.1)))
    return builder.finish(), 0.5 * 9.81 * t


def grow_tree(builder, rng, size, kinds=ALL_JOINTS, root=0, **node):
    """Add ``size`` joints: half of them continue a chain, the others branch off anywhere; returns the handles."""
    handles = [root]
    # every kind equally often
    for k in rng.permutation((rng.integers(len(kinds)) + np.arange(size)) % len(kinds)):
        parent = handles[-1] if rng.random() < 0.5 else handles[rng.integers(len(handles))]
        handles.append(add_random_node(builder, rng, kinds[k], parent, **node))
    return handles[1:]


def add_random_node(builder, rng, kind, parent, columns=None):
    """A node with random geometry and state; one in five is massless and carries its body on a fixed joint."""
    name = f"node {len(builder.nodes)}"
    is_massless = rng.random() < 0.2
    axes = random_axes(rng)
    handle = builder.add_node(
        name,
        kind,
        parent,
        None if is_massless else random_body(rng),
        offset=0.5 * rng.normal(size=3),
        rotation=random_axes(rng),
        axes=(axes[0], axes[1]),
        columns=None if columns is None else columns(builder, rng, kind),
        position=random_position(rng, kind),
        velocity=rng.normal(size=len(JOINT_COLUMNS[kind])),
    )
    if is_massless:
        builder.add_node(f"{name} body", JointKind.FIXED, handle, random_body(rng), offset=0.2 * rng.normal(size=3))
    return handle


def add_random_closure(builder, rng, kind, nodes, **options):
    """A closure between two nodes, far from satisfied."""
    points = (rng.normal(size=3), rng.normal(size=3))
    axes = (random_axes(rng), random_axes(rng))
    name = f"closure {len(builder.closures)}"
    if kind == ClosureKind.DISTANCE:
        return builder.add_distance(name, tuple(nodes), points, rng.uniform(0.5, 2.0), **options)
    return builder.add_closure(name, kind, tuple(nodes), points, axes=axes, **options)


def random_axes(rng):
    """A random rotation matrix."""
    return Rotation.random(random_state=rng).as_matrix()


def random_body(rng):
    """A body that mass can be made of; one in three is a rod."""
    mass = rng.uniform(0.5, 2.0)
    if rng.random() < 1 / 3:
        across, along = rng.uniform(0.1, 0.5, size=2)
        return RigidBody(mass, (0.0, 0.0, 0.3 * rng.normal()), np.diag([across, across, along]), is_rod=True)
    spread = rng.uniform(0.05, 0.4, size=3)
    axes = random_axes(rng)
    inertia = axes @ np.diag(spread.sum() - spread) @ axes.T
    return RigidBody(mass, 0.3 * rng.normal(size=3), 0.5 * (inertia + inertia.T))


def random_position(rng, kind):
    """Random coordinates of a joint; quaternions are unit vectors."""
    position = rng.normal(size=len(default_position(kind, len(JOINT_COLUMNS[kind]))))
    if kind in QUATERNION_JOINTS:
        position[-4:] /= np.linalg.norm(position[-4:])
    return position


def random_spring(rng, kind):
    """A law of the given kind with parameters of order one."""
    parameters = tuple(rng.uniform(0.1, 1.0, size=LAWS[kind].parameter_count))
    return Spring(kind, *rng.uniform(0.5, 2.0, size=2), free=rng.normal(), parameters=parameters)


def random_signals(builder, rng, count):
    """Signals that are cubic polynomials of the time on [0, 1]."""
    span = np.array([0.0, 1.0])
    return [builder.add_signal([local_pieces(span, rng.normal(size=(1, 4)))]) for _ in range(count)]


def random_columns(builder, rng, kind):
    """A random law, friction and actuator signal for every column; a free turn has one linear spring about all axes."""
    turn = Spring(LawKind.LINEAR, *rng.uniform(0.5, 2.0, size=2))
    is_quaternion = [kind in QUATERNION_JOINTS and is_rotation for is_rotation in JOINT_COLUMNS[kind]]
    return [
        ColumnSpec(
            spring=turn if is_turn else random_spring(rng, ALL_LAWS[rng.integers(len(ALL_LAWS))]),
            coulomb=rng.uniform(),
            viscous=rng.uniform(),
            velocity_scale=rng.uniform(0.5, 2.0),
            signal=random_signals(builder, rng, 1)[0],
        )
        for is_turn in is_quaternion
    ]
