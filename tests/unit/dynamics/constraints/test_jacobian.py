import pytest

from compare import relative_error
from engine import dense_jacobian
from reference.dynamics import closure_rows

pytestmark = pytest.mark.nojit


def test_jacobian(machine):
    assert relative_error(dense_jacobian(machine.model, machine.data), closure_rows(*machine.position())[1]) < 1e-13
