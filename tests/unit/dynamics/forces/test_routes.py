"""Routes by the kernels against their definition: lengths, loads, rates and second rates over moving guides."""

import numpy as np
import pytest

from taut.build.cables.route_tables import GuideSpec, SheaveSpec
from taut.build.tree import RigidBody, TreeBuilder
from taut.dynamics.inverse import accelerations
from taut.dynamics.residual import place_closures
from taut.dynamics.tree.positions import move
from taut.model import new_data
from taut.model.enums import JointKind
from taut.model.routes import SheaveKind, Stop, Wheel, gradients, trace

KINDS = ("pinhole", "fixed", "swivel", "wheel")
BOX = RigidBody(2.0, (0.1, 0.0, -0.05), np.diag([0.3, 0.2, 0.4]))


def unit(a):
    return np.asarray(a, float) / np.linalg.norm(a)


def rope(rng, count, *, is_castor=False):
    """A rope that does not stretch over guides of all kinds on bodies that fly; every second guide has its own."""
    builder = TreeBuilder()
    place = np.array([0.0, 0.0, 0.0])
    axis = unit(rng.normal(size=3))
    guides = [GuideSpec(0, place, SheaveSpec(0.2, axis, 1, SheaveKind.CASTOR, np.pi) if is_castor else None)]
    for k in range(count):
        place = place + np.array([1.5, rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8)])
        quaternion = unit(rng.normal(size=4))
        node = builder.add_node(f"body{k}", JointKind.FREE, 0, BOX, position=[*place, *quaternion],
                                velocity=rng.normal(size=6))  # fmt: skip
        kind = KINDS[rng.integers(3)] if k < count - 1 else "pinhole"
        sheave = None
        if kind != "pinhole":
            # about across the way, so that the rope meets it at some angle
            spin = SheaveKind.FIXED if kind == "fixed" else SheaveKind.SWIVEL
            sheave = SheaveSpec(rng.uniform(0.1, 0.3), unit(rng.normal(size=3)), int(rng.choice([-1, 1])), spin, np.pi)
            if spin == SheaveKind.SWIVEL:
                sheave = SheaveSpec(sheave.radius, sheave.axis, 1, spin, 1.0)
        guides.append(GuideSpec(node, rng.uniform(-0.1, 0.1, 3), sheave))
    nodes = (guides[0].node, guides[-1].node)
    builder.add_distance("rope", nodes, (guides[0].point, guides[-1].point), 10.0, guides=guides)
    return builder.finish()


def stops_of(model, data):
    """The guides of the first route as the definition knows them."""
    found = []
    for guide in model.tables.guides:
        node = data.nodes[guide.node]
        R = node.R.reshape(3, 3)
        point = (node.x + R @ guide.point)[None]
        sheave = model.tables.sheaves[guide.sheave] if guide.sheave >= 0 else None
        if sheave is None:
            found.append(Stop(point))
        else:
            wheel = Wheel(sheave.radius, int(sheave.side), SheaveKind(int(sheave.kind)), sheave.wrap)
            found.append(Stop(point, wheel, (R @ sheave.axis)[None]))
    return found


def cases(count=40):
    rng = np.random.default_rng(5)
    return [rope(rng, int(rng.integers(1, 6)), is_castor=bool(k % 2)) for k in range(count)]


@pytest.mark.uncompiled
def test_lengths_and_loads_are_those_of_the_definition():
    for model in cases():
        data = new_data(model)
        place_closures(model.tables, data)
        stops = stops_of(model, data)
        found = trace(stops)
        assert data.routes[0].length == pytest.approx(found.length[0], abs=1e-13)
        assert data.guides["wrap"] == pytest.approx(found.wraps[:, 0], abs=1e-12)
        forces, couples = gradients(stops)
        assert data.guides["f"] == pytest.approx(forces[:, 0], abs=1e-12)
        assert data.guides["m"] == pytest.approx(couples[:, 0], abs=1e-12)


@pytest.mark.uncompiled
def test_rates_are_those_of_the_lengths_along_the_motion():
    rng = np.random.default_rng(6)
    for model in cases():
        a = rng.normal(size=model.column_count)
        here, h = np.zeros((2, 2)), 1e-6
        for k, sign in enumerate((1.0, -1.0)):
            data = new_data(model)
            move(model.tables, data.q.copy(), sign * h * data.v + 0.5 * h * h * a, data.q)
            data.v[:] += sign * h * a
            place_closures(model.tables, data)
            here[k] = data.rows[0].value, data.rows[0].rate
        data = new_data(model)
        place_closures(model.tables, data)
        accelerations(model.tables, data, a)
        place_closures(model.tables, data)
        slope = (here[0] - here[1]) / (2.0 * h)
        assert data.rows[0].rate == pytest.approx(slope[0], abs=1e-7)
        assert data.rows[0].bias == pytest.approx(slope[1] + gravity_part(model, data), abs=1e-5)


def gravity_part(model, data):
    """Weight is an acceleration of the root: the bias has it, the motion does not."""
    g = model.tables.settings[0].gravity
    return -float(np.sum(data.guides["f"] @ g))
