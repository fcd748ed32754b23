"""Cables without mass against closed forms."""

from taut.verify import verify_case


def test_massless():
    assert {name: quantity for name, quantity in verify_case("massless").items() if not quantity["pass"]} == {}
