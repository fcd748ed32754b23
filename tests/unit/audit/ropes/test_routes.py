"""Which pieces of a rope the audit judges together: those that slip into each other."""

from taut import library
from taut.audit.ropes.routes import joined_by_slip
from taut.build import build


def test_pieces_over_guides_with_friction_are_one_rope():
    model = build(library.load("gantry-reeved"))
    assert [sorted(joined_by_slip(model, j)) for j in range(4)] == [[0, 1, 2, 3]] * 4
    assert model.tables.tethers["first"].tolist() == [0] * 4
    assert model.tables.tethers["last"].tolist() == [3] * 4


def test_pieces_between_wheels_with_inertia_are_not():
    model = build(library.load("elevator"))
    assert [joined_by_slip(model, j) for j in range(3)] == [[0], [1], [2]]
    assert model.tables.tethers["first"].tolist() == model.tables.tethers["last"].tolist() == [0, 1, 2]
