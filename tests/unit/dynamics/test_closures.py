import numpy as np
import pytest

from compare import relative_error
from engine import dense_jacobian
from reference.dynamics import along_motion, closure_rates, closure_rows

pytestmark = pytest.mark.nojit


def test_values_and_rates(machine):
    rows = machine.data.rows
    assert relative_error(rows.value, closure_rows(*machine.position())[0]) < 1e-13
    assert relative_error(rows.rate, closure_rates(*machine.state())) < 1e-13


def test_bias(machine):
    expected = along_motion(closure_rates, *machine.state(), np.zeros(machine.model.column_count))
    assert relative_error(machine.data.rows.bias, expected) < 1e-12


def test_jacobian(machine):
    assert relative_error(dense_jacobian(machine.model, machine.data), closure_rows(*machine.position())[1]) < 1e-13
