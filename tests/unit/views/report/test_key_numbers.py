"""Key numbers of the cables in a report."""

from taut.views.report.numbers import _cables


def test_the_smallest_tension_is_that_of_a_cable_that_holds():
    """The one that was cut is left out, also if it broke."""
    rows = [{"cable": name, "min": low, "min_time": 1.0, "max": 9.0, "max_time": 2.0, "elements": 1}
            for name, low in (("C1", 0.0), ("C2", 3.0), ("C3", 0.0))]  # fmt: skip
    audit = {"tension": {"cables": rows}, "slack": {"count": 0}}
    events = [{"name": "snap", "what": "C1 is cut"}, {"name": "C3 breaks", "what": "C3 breaks"}]
    assert ("3 N", "smallest tension, C2, t = 1 s") in _cables(audit, events)
    assert ("0 N", "smallest tension, C1, t = 1 s") in _cables(audit, [])
