"""Random trees of mixed joints against Pinocchio: the same numbers from an independent engine."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from compare import relative_error
from engine import (
    columns_of,
    dense_jacobian,
    dense_mass,
    derivative,
    generalised_forces,
    placed,
    tree_accelerations,
    varied,
)
from machines import ALL_CLOSURES, ALL_JOINTS, random_tree
from taut.bench.pinocchio_tree import PinocchioTree
from taut.model.enums import JointKind

pytestmark = pytest.mark.peers

# seeds and numbers of joints; Pinocchio's workspace grows as the cube of the columns, so the long ones are few
SIZES = [*range(5, 53), 80, 120, 160, 200, 200]


class Machine(NamedTuple):
    """A random tree with one closure of each kind, and its peer at the same state."""

    seed: int
    model: Any
    peer: PinocchioTree

    def rng(self):
        return np.random.default_rng(self.seed)


@pytest.fixture(scope="module", params=list(enumerate(SIZES)), ids=lambda p: f"tree{p[0]}-{p[1]}")
def machine(request):
    seed, size = request.param
    kinds = ALL_JOINTS if size < 100 else ALL_JOINTS + 5 * (JointKind.REVOLUTE, JointKind.PRISMATIC)
    model = random_tree(np.random.default_rng(seed), size, kinds, ALL_CLOSURES)
    return Machine(seed, model, PinocchioTree(model).place(placed(model)))


def test_inverse_dynamics(machine):
    model, peer = machine.model, machine.peer
    a = machine.rng().normal(size=model.column_count)
    assert relative_error(generalised_forces(model, placed(model), a), peer.inverse(a)) < 1e-11


def test_mass_matrix(machine):
    assert relative_error(dense_mass(machine.model, placed(machine.model)), machine.peer.mass_matrix()) < 1e-11


def test_forward_dynamics_by_backward_error(machine):
    model, peer = machine.model, machine.peer
    data, force = placed(model), machine.rng().normal(size=model.column_count)
    tree_accelerations(model, data, force)
    scale = max(abs(force).max(), abs(peer.inverse(0 * force)).max())
    assert relative_error(peer.inverse(data.acceleration), force, scale) < 1e-11


def test_closure_jacobian_and_bias(machine):
    data = placed(machine.model)
    J, bias = machine.peer.closure_rows(data.signals)
    assert relative_error(data.rows.bias, bias) < 1e-11
    assert relative_error(dense_jacobian(machine.model, data), J) < 1e-11


def test_closure_jacobian_by_differences(machine):
    model, data = machine.model, placed(machine.model)
    differences = columns_of(lambda dq: derivative(varied(model, data, dq).rows.value), model.column_count)
    assert relative_error(dense_jacobian(model, data), differences) < 1e-11
