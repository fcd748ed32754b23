"""The server of the page: for this machine only, for its own page only, and hard to break."""

import socket
import struct
import time
import urllib.error
import urllib.request

import pytest
import viser
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from taut.results.errors import ResultError
from taut.views.player import view_results
from taut.views.player.server import is_own
from unit.results.synthetic import synthetic_result

PROTOCOL = f"viser-v{viser.__version__}"


@pytest.fixture(scope="module")
def player():
    opened = view_results(synthetic_result(samples=61), is_opened=False)
    yield opened
    opened.close()


def client(player, origin=None):
    address = player.address.replace("http", "ws")
    return connect(address, subprotocols=[PROTOCOL], origin=origin, max_size=None, compression=None)


def get(player, path):
    with urllib.request.urlopen(player.address + path, timeout=10) as answer:
        return answer.status, answer.read()


def test_only_the_loopback_address_listens(player):
    port = player.server.get_port()
    listening = [line.split() for line in open("/proc/net/tcp").read().splitlines()[1:]]
    bound = {entry[1] for entry in listening if entry[3] == "0A" and entry[1].endswith(f":{port:04X}")}
    assert bound == {f"0100007F:{port:04X}"}
    six = [line.split()[1] for line in open("/proc/net/tcp6").read().splitlines()[1:]]
    assert not any(entry.endswith(f":{port:04X}") for entry in six)


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/../../pyproject.toml", "/%2e%2e/%2e%2e/_viser.py", "/result.nc", "/.."]
)
def test_nothing_but_the_page_is_served(player, path):
    assert get(player, "/")[0] == 200
    with pytest.raises(urllib.error.HTTPError, match="404"):
        get(player, path)


def test_a_page_of_another_site_is_turned_away(player):
    with client(player, "https://elsewhere.example") as connection, pytest.raises(ConnectionClosed) as closed:
        while True:
            connection.recv(timeout=10)
    assert closed.value.rcvd.code == 1008


@pytest.mark.parametrize(
    ("origin", "is_taken"),
    [
        (None, True),
        ("http://127.0.0.1:80", True),
        ("http://localhost:80", True),
        ("http://127.0.0.1:81", False),
        ("https://127.0.0.1:80", False),
        ("http://127.0.0.1.elsewhere.example:80", False),
        ("null", False),
    ],
)
def test_origins(origin, is_taken):
    assert is_own(origin, 80) is is_taken


def test_two_clients_get_the_scene(player):
    with client(player) as one, client(player) as two:
        assert len(one.recv(timeout=10)) > 1000 and len(two.recv(timeout=10)) > 1000


def test_a_client_that_vanishes_in_the_middle_of_a_message_harms_nobody(player):
    gone = client(player)
    gone.recv(timeout=10)
    # the head of a masked message of 1000 bytes and a few of them, then a reset
    gone.socket.sendall(bytes([0x82, 0xFE]) + struct.pack(">H", 1000) + b"\x01\x02\x03\x04" + b"abc")
    gone.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    gone.socket.shutdown(socket.SHUT_RDWR)
    gone.socket.close()
    player.seek(3.0)
    with client(player) as next_one:
        assert len(next_one.recv(timeout=10)) > 1000
    deadline = time.monotonic() + 10.0
    while player.controls.slider.value != 3.0 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert player.controls.slider.value == 3.0 and player._thread.is_alive()


def test_nonsense_is_survived(player):
    for nonsense in (b"", b"\x00\x01\x02", b"\xff" * 100, "text"):
        with client(player) as connection:
            connection.send(nonsense)
    assert get(player, "/")[0] == 200
    with client(player) as connection:
        assert len(connection.recv(timeout=10)) > 1000


def test_nobody_can_publish_the_page(player):
    from viser import _messages

    handlers = player.server._websock_server._incoming_handlers
    assert _messages.ShareUrlRequest not in handlers


def test_a_taken_port_is_told():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(ResultError, match="is taken"):
            view_results(synthetic_result(samples=3), port=taken.getsockname()[1], is_opened=False)
