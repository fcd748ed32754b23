"""Ropes over guides against closed forms and independent integrations."""

from taut.verify import verify_case


def test_routes():
    assert {name: quantity for name, quantity in verify_case("routes").items() if not quantity["pass"]} == {}
