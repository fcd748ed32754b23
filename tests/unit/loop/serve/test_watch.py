"""What a server sends to its live view; the page itself is tested in tests/browser."""

import socket

import numpy as np
import pytest

from plants import slider
from taut.loop import Plant
from taut.loop.serve import Session
from taut.loop.serve.watch import Watch, standing, strips_of, words_of
from taut.views.player.live import ahead, grown
from taut.views.player.strips import Strip, Strips
from taut.views.scene.frames import frame_of
from taut.views.scene.machine import read_machine


class Chart:
    """A chart of a page that is not there."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def add_uplot(self, data, *_, **__):
        self.data = data
        return self


def test_charts_go_by_unit_and_commands_come_last():
    plant = Plant("crane-2d", observations=["x", "v", "load.position", "load.velocity.x"])
    strips, order = strips_of(plant)
    assert [(strip.label, len(strip.names)) for strip in strips] == [("measured [m]", 4), ("measured [m/s]", 2),
                                                                     ("command [N]", 1)]  # fmt: skip
    assert order.tolist() == [0, 2, 3, 4, 1, 5, 6]


def test_strips_keep_the_last_seconds_and_begin_anew_after_a_reset():
    gui = Chart()
    strips = Strips(gui, Chart(), [Strip("a", ("b", "c"))])
    for k in range(3000):
        strips.add(0.1 * k, np.array([k, -k]))
    strips.draw()
    times, b, c = gui.data
    assert times[-1] - times[0] <= 20.0 and b[-1] == 2999 and c[-1] == -2999
    strips.add(0.0, np.zeros(2))
    strips.draw()
    assert len(gui.data[0]) == 1


def test_the_picture_of_a_plant_is_that_of_a_result_and_grows_with_its_way():
    plant = Plant("crane-2d", observations=["x"])
    start = standing(plant)
    first = frame_of(0.0, {name: array[0] for name, array in plant.stepper.channels().items()})
    for _ in range(300):
        plant.step([500.0])
    far = frame_of(plant.time, {name: array[0] for name, array in plant.stepper.channels().items()})
    small, large = read_machine(start), read_machine(grown(start, [first, far, ahead(first, far)]))
    assert [part.name for part in small.bodies] == [part.name for part in large.bodies]
    assert large.high[0] > far.position[:, 0].max() > small.high[0]


def test_words_say_how_things_stand():
    session = Session(Plant(slider()))
    assert words_of(session) == "real time"
    session.overruns, session.is_held = 3, True
    assert words_of(session) == "real time, 3 overruns, no commands come: watchdog"
    session.failed = "the motion diverges"
    assert words_of(session) == "cannot go on: the motion diverges"


def test_the_page_is_for_this_computer_only_and_idle_without_a_browser(monkeypatch):
    pytest.importorskip("viser")
    session = Session(Plant(slider()))
    watch = Watch(session)
    try:
        host, port = watch.address.removeprefix("http://").split(":")
        assert host == "127.0.0.1"
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            own = probe.getsockname()[0]
        if not own.startswith("127."):
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((own, int(port)), timeout=5)
        monkeypatch.setattr(watch.page, "tell", lambda *_: pytest.fail("nobody watches"))
        session.tick()
        watch.look()
    finally:
        watch.close()
