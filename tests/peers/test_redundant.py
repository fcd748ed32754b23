"""Mechanisms that a count of rows calls immobile: solved in the least-squares sense, and the redundancy named."""

import numpy as np
import pytest

from compare import relative_error
from engine import place
from reference.dynamics import solve_kkt
from taut import library
from taut.bench.pinocchio_tree import PinocchioTree
from taut.build import build
from taut.dynamics.forward import forward
from taut.integrate.start.redundancy import redundant_rows
from taut.integrate.start.start_state import start_state
from taut.model import new_factor

pytestmark = pytest.mark.peers

# scenario: degrees of freedom, rows of the self-stresses
MECHANISMS = {"four-bar": (1, {"pin.y", "pin.axis1", "pin.axis2"}), "bennett": (1, None)}


@pytest.fixture(params=MECHANISMS)
def mechanism(request):
    """A closed linkage in motion, its peer, and what is known of it."""
    model = build(library.load(request.param))
    data = start_state(model).data
    peer = PinocchioTree(model).place(data)
    J, _ = peer.closure_rows(data.signals)
    data.v[:] = np.linalg.svd(J)[2][-1]
    place(model, data)
    return model, data, peer.place(data), MECHANISMS[request.param]


def test_accelerations(mechanism):
    model, data, peer, (freedom, _) = mechanism
    rank = forward(model.tables, data, new_factor(model))
    J, bias = peer.closure_rows(data.signals)
    a, lam = solve_kkt(peer.mass_matrix(), J, data.force - peer.inverse(0 * data.v), bias)
    assert rank == model.column_count - freedom < model.row_count
    assert relative_error(data.acceleration, a) < 1e-9
    assert relative_error(J @ data.acceleration, -bias, scale=abs(data.acceleration).max()) < 1e-9
    assert relative_error(data.lam @ J, lam @ J) < 1e-9


def test_redundancy_is_named(mechanism):
    model, data, _, (freedom, named) = mechanism
    rank, rows = redundant_rows(model, data, new_factor(model))
    assert rank == model.column_count - freedom
    assert set(rows) == (named or set(model.names.rows))
