"""Momentum, angular momentum and energy of a cable that is fed while it swings, at random states in space."""

import numpy as np
import pytest

from taut.build.tree import ColumnSpec, FeedSpec, RigidBody, Spring, TreeBuilder
from taut.dynamics.energy import dissipated_power, elastic_energy, gravity_energy, input_power, kinetic_energy
from taut.dynamics.residual import consistent_accelerations, place
from taut.dynamics.statics import motion_residual
from taut.dynamics.tree.positions import move
from taut.model import new_data, new_factor
from taut.model.enums import FeedKind, JointKind, LawKind
from taut.scenario.signals.pieces import local_pieces

# a thin cable: the flow of the rotary inertia of its cross-section is left out
N, LENGTH, LINE, RADIUS, LOAD = 5, 4.0, 0.7, 1e-6, 2.0
TIME, STEP = 0.3, 1e-4
GRAVITY = np.array([0.3, -0.2, -9.81])


def rod(length, sign):
    mass = LINE * length
    across = mass * (3 * RADIUS**2 + length**2) / 12
    return RigidBody(mass, (0.0, 0.0, sign * length / 2), np.diag([across, across, mass * RADIUS**2 / 2]), is_rod=True)


def signal(builder, rng, scale=1.0, start=0.0):
    coefficients = scale * rng.normal(size=(1, 4))
    coefficients[0, 0] += start
    return builder.add_signal([local_pieces(np.array([0.0, 1.0]), coefficients)])


def fed_chain(seed, kind=FeedKind.CONSISTENT, *, coordinate=False):
    """A chain on a moving exit with a load at its end; its length is a signal, or a coordinate."""
    rng, builder = np.random.default_rng(seed), TreeBuilder(GRAVITY)
    exit_signals = [signal(builder, rng) for _ in range(3)]
    parent = builder.add_node("exit", JointKind.DRIVEN, signals=exit_signals, start=rng.normal(size=3))
    ratio = -1 if coordinate else signal(builder, rng, 0.3, 1.0)
    length, half = LENGTH / N, LENGTH / N / 2
    node = 0
    if coordinate:
        parent = node = builder.add_node("length", JointKind.FEED, parent, axes=(np.zeros(3), np.zeros(3)),
                                         columns=[ColumnSpec(armature=3.0, viscous=0.2)], position=[LENGTH],
                                         velocity=rng.normal(size=1))  # fmt: skip
    for k in range(N):
        feeds = [FeedSpec(length, LINE, ratio, kind, (1 - (k + j) / N) * LENGTH, k == 0 and j == 0, node)
                 for j in range(2)]  # fmt: skip
        bend = [ColumnSpec(Spring(LawKind.LINEAR, 3.0, 0.4, free=0.2), feed=ratio, feed_node=node)] * 2
        joint = JointKind.BEND_YX if k % 2 else JointKind.BEND_XY
        parent = builder.add_node(f"bend {k}", joint, parent, rod(half, 1), columns=bend, feed=feeds[0],
                                  position=0.7 * rng.normal(size=2), velocity=rng.normal(size=2))  # fmt: skip
        stretch = [ColumnSpec(Spring(LawKind.LINEAR, 200.0, 5.0, free=length), feed=ratio, feed_node=node)]
        parent = builder.add_node(f"stretch {k}", JointKind.STRETCH, parent, rod(half, -1), columns=stretch,
                                  feed=feeds[1], position=[length * (1 + 0.2 * rng.normal())],
                                  velocity=rng.normal(size=1))  # fmt: skip
    builder.add_node("load", JointKind.FIXED, parent, RigidBody(LOAD, (0.1, 0.0, 0.2), 0.1 * np.eye(3)))
    return builder.finish()


def at(model, data, shift):
    """The machine a moment later or earlier, along its motion."""
    moved = new_data(model)
    moved.time[0] = data.time[0] + shift
    move(model.tables, data.q, shift * data.v + 0.5 * shift**2 * data.acceleration, moved.q)
    moved.v[:] = data.v + shift * data.acceleration
    place(model.tables, moved)
    return moved


def momenta(model, data):
    """Momentum, angular momentum about the origin, mass and first moment, with the velocities of the material."""
    P, H, mass, first = np.zeros(3), np.zeros(3), 0.0, np.zeros(3)
    for node, here in zip(model.tables.nodes, data.nodes, strict=True):
        if node.mass == 0.0:
            continue
        R, m, com, inertia, flow = here.R.reshape(3, 3), node.mass, node.com.copy(), None, 0.0
        inertia = np.zeros((3, 3))
        inertia[np.triu_indices(3)] = node.inertia
        inertia = inertia + np.triu(inertia, 1).T
        if node.is_fed:
            s, flow = data.signals[node.feed, 0], node.flow * data.signals[node.feed, 1]
            m, com, length = m * s, com * s, 2 * abs(com[2]) * s
            across = m * (3 * RADIUS**2 + length**2) / 12
            inertia = np.diag([across, across, m * RADIUS**2 / 2])
        x = here.x + R @ com
        v = here.v + np.cross(here.w, R @ com) + flow * R[:, 2]
        P, mass, first = P + m * v, mass + m, first + m * x
        H = H + m * np.cross(x, v) + R @ inertia @ R.T @ here.w
    return P, H, mass, first


def gap_jumps(model, data):
    """Angular momentum per time of material that jumps the gaps between the halves of stretched elements."""
    total, tables = np.zeros(3), model.tables
    for i, node in enumerate(tables.nodes):
        if node.kind != JointKind.STRETCH or node.feed < 0:
            continue
        s, rate = data.signals[node.feed, :2]
        here, before, t = data.nodes[i], data.nodes[node.parent], data.nodes[i].R.reshape(3, 3)[:, 2]
        lever = 0.5 * s * node.length * np.cross(here.w, t)
        mean = 0.5 * (node.flow + tables.nodes[node.parent].flow) * rate
        gap = (data.q[node.coordinate] - s * node.length) * t
        total += LINE * mean * np.cross(gap, 0.5 * (before.v + lever + here.v - lever))
    return total


def moving(model, time=TIME):
    data, factor, result = new_data(model), new_factor(model), np.zeros(model.column_count)
    data.time[0] = time
    place(model.tables, data)
    consistent_accelerations(model.tables, data, factor)
    # the nodes now hold the wrenches that their joints transmit
    motion_residual(model.tables, data, data.acceleration, data.lam, result)
    return data


def rates(function, model, data):
    """Central difference of fourth order along the motion."""
    near = [function(model, at(model, data, k * STEP)) for k in (-2, -1, 1, 2)]
    return [(a - 8 * b + 8 * c - d) / (12 * STEP) for a, b, c, d in zip(*near, strict=True)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("coordinate", [False, True])
def test_momentum(seed, coordinate):
    model = fed_chain(seed, coordinate=coordinate)
    data = moving(model)
    P_rate, H_rate, mass_rate, _ = rates(momenta, model, data)
    _, _, mass, first = momenta(model, data)
    first_link = 3 if coordinate else 2
    exit_node, t = data.nodes[1], data.nodes[first_link].R.reshape(3, 3)[:, 2]
    # material enters at the exit with its velocity along the first element
    speed = LENGTH * data.signals[model.tables.nodes[first_link].feed, 1]
    assert mass_rate == pytest.approx(LINE * speed, rel=1e-8)
    v_0 = exit_node.v + speed * t
    entering = LINE * speed * v_0
    assert np.abs(P_rate - entering - exit_node.F - mass * GRAVITY).max() < 1e-8 * np.abs(P_rate).max()
    moment = np.cross(exit_node.x, exit_node.F) + exit_node.N + np.cross(first, GRAVITY)
    error = H_rate - np.cross(exit_node.x, entering) - moment - gap_jumps(model, data)
    assert np.abs(error).max() < 1e-8 * np.abs(H_rate).max()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("kind", "coordinate"), [(FeedKind.CONSISTENT, False), (FeedKind.PAPER, False), (FeedKind.CONSISTENT, True)]
)
def test_energy(seed, kind, coordinate):
    model = fed_chain(seed, kind, coordinate=coordinate)
    data = moving(model)

    def energy(model, data):
        parts = (kinetic_energy, gravity_energy, elastic_energy)
        return [sum(part(model.tables, data) for part in parts)]

    (rate,) = rates(energy, model, data)
    power = input_power(model.tables, data) - dissipated_power(model.tables, data)
    assert rate == pytest.approx(power, rel=1e-8, abs=1e-8 * abs(dissipated_power(model.tables, data)))


def test_published_form_is_the_rate_of_the_mass_matrix():
    from taut.dynamics.tree.mass_matrix import mass_matrix

    model = fed_chain(1, FeedKind.PAPER)
    n, tables = model.column_count, model.tables

    def mass(time):
        work = new_data(model)
        work.time[0] = time
        place(tables, work)
        M = np.zeros((n, n))
        mass_matrix(tables, work, new_factor(model), M)
        return M

    def residual(is_still):
        work, result = new_data(model), np.zeros(n)
        work.time[0], work.still[0] = TIME, is_still
        motion_residual(tables, work, np.zeros(n), work.lam, result)
        return result, work

    # the exit at rest, so that the rates of the signals enter by the feed alone
    tables.nodes.flags.writeable = True
    tables.nodes["signal"][1] = -1
    (moving_force, work), (still_force, _) = residual(0.0), residual(1.0)
    columns = tables.columns
    s, rate = work.signals[columns["feed"][0], :2]
    damper = np.where(columns["is_rotation"], 0.0, -columns["damping"] * columns["free"] * rate / s)
    M_rate = (mass(TIME + STEP) - mass(TIME - STEP)) / (2 * STEP)
    expected = M_rate @ work.v + damper
    assert np.abs(moving_force - still_force - expected).max() < 1e-7 * np.abs(expected).max()
