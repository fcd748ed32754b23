import numpy as np
import pytest

from compare import relative_error
from reference.dynamics import along_motion, closure_rates, closure_rows
from taut.dynamics.constraints.closures import add_closure_wrenches
from taut.dynamics.inverse import collect_forces

pytestmark = pytest.mark.nojit


def test_values_and_rates(machine):
    rows = machine.data.rows
    assert relative_error(rows.value, closure_rows(*machine.position())[0]) < 1e-13
    assert relative_error(rows.rate, closure_rates(*machine.state())) < 1e-13


def test_bias(machine):
    expected = along_motion(closure_rates, *machine.state(), np.zeros(machine.model.column_count))
    assert relative_error(machine.data.rows.bias, expected) < 1e-12


def test_wrenches_of_multipliers(machine):
    """A node's wrench is what its joint must transmit: less what the multipliers bring."""
    model, data, lam = machine.model, machine.data, machine.vector(machine.model.row_count)
    force = machine.vector()
    data.nodes.N[:], data.nodes.F[:] = 0.0, 0.0
    add_closure_wrenches(model.tables, data, lam)
    collect_forces(model.tables, data, force)
    assert relative_error(force, -closure_rows(*machine.position())[1].T @ lam) < 1e-12
