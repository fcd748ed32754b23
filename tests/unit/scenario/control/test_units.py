from taut import library
from taut.scenario.control.units import command_units, measurement_units


def test_units_follow_from_where_signals_are_used():
    crane = library.load("crane-2d")
    assert command_units(crane) == {"push": "N"}
    units = measurement_units(crane)
    assert set(units.values()) <= {"m", "m/s", "rad", "rad/s"} and units
    assert set(command_units(library.load("winch-robot-circle")).values()) == {"m/s"}
