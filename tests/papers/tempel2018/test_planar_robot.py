"""The planar robot at rest [Tempel2018]; the whole case is `taut verify tempel`."""

from taut import library
from taut.build import build
from taut.verify.cables.tempel import start


def test_coordinates_and_static_start():
    model = build(library.load("tempel-planar"))
    assert model.column_count == 83
    for quantity in start(model):
        assert quantity.is_passed, quantity
