"""When a run is given up as chattering."""

import pytest

from taut import library
from taut.build import build
from taut.integrate.events.switches import CROWD, CROWDED, MOST_REPEATS, Switches
from taut.integrate.start.start_state import start_state

TIMES = [
    ("without progress", [0.5] * (MOST_REPEATS + 2), True),
    ("too close", [0.5 + 0.5 * CROWDED * k / CROWD for k in range(CROWD)], True),
    ("dense", [0.5 + 2.0 * CROWDED * k / CROWD for k in range(CROWD)], False),
    ("few", [0.5 + 1e-9 * k for k in range(CROWD - 1)], False),
]


@pytest.mark.parametrize(("times", "is_chattering"), [row[1:] for row in TIMES], ids=[row[0] for row in TIMES])
def test_events_that_crowd_end_the_run(times, is_chattering):
    model = build(library.load("double-pendulum", ["events=[{name: low, body: upper, measure: position, value: -5}]"]))
    data = start_state(model).data
    switches = Switches(model, data)
    for time in times:
        switches.switch(0, time, data)
    assert switches.is_chattering == is_chattering
