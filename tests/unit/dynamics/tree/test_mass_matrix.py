import pytest

from compare import relative_error
from engine import dense_mass
from reference.dynamics import mass_matrix

pytestmark = pytest.mark.nojit


def test_mass_matrix(machine):
    assert relative_error(dense_mass(machine.model, machine.data), mass_matrix(*machine.position())) < 1e-13
