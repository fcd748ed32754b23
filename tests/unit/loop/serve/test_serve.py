"""The server: real time and lock-step, and clients that misbehave."""

import asyncio
import json
import re
import shutil
import socket
import subprocess
from pathlib import Path

import numpy as np
import pytest

import taut
from plants import slider
from serving import serving
from taut.loop import Plant
from taut.loop.serve import Client, Server, Session, is_loopback


def lock_step():
    return Session(Plant(slider(), period=0.01), lock_step=True)


def test_lock_step_is_the_plant_bit_by_bit():
    plant = Plant(slider(), period=0.01)
    with serving(lock_step()) as server, Client(server.port) as client:
        assert client.hello["commands"] == [{"name": "push", "unit": "N", "low": -3.0, "high": 3.0}]
        for k in range(20):
            answer = client.ask(command=[0.1 * k], step=1)
            assert answer["observations"] == plant.step([0.1 * k]).tolist() and answer["time"] == plant.time
        client.ask(snapshot="here")
        there = client.ask(step=3)
        assert client.ask(restore="here")["time"] == plant.time and client.ask(step=3) == there
        assert client.ask(reset=True)["time"] == 0.0


def test_a_websocket_says_the_same():
    from websockets.sync.client import connect

    plant = Plant(slider(), period=0.01)
    with serving(lock_step(), websocket=True) as server, connect(f"ws://127.0.0.1:{server.port}") as link:
        json.loads(link.recv())
        link.send(json.dumps({"command": {"push": 1.5}, "step": 1}))
        assert json.loads(link.recv())["observations"] == plant.step([1.5]).tolist()


def test_pages_of_other_sites_may_not_open_a_websocket():
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    with serving(lock_step(), websocket=True) as server, pytest.raises(InvalidStatus, match="403"):
        connect(f"ws://127.0.0.1:{server.port}", origin="https://example.org")


BAD = [("hello", "no JSON"), ("[1]", "object"), ("{}", "object"), ('{"comand": {}}', "did you mean 'command'"),
       ('{"command": {"push": NaN}}', "NaN is no finite"), ('{"command": {"push": 1e400}}', "no finite number"),
       ('{"command": {"push": 4}}', "out of range: -3 to 3"), ('{"command": {"pusch": 1}}', "did you mean 'push'"),
       ('{"command": [1, 2]}', "must have 1 numbers"), ('{"command": 7}', "must be an object"), 
       ('{"step": 0}', "from 1"),
       ('{"command": {"push": true}}', "no finite"), ('{"step": "x"}', "from 1"), ('{"restore": "a"}', "no snapshot"),
       ('{"reset": true, "seed": -1}', "whole number"), ('{"reset": true, "changes": {"bodies.mas.mass": 1}}', "mas"),
       ("[" * 5000, "JSON"), ('{"command": {"push": "fast"}}', "no finite number"),
       ("\xff\x00", "no JSON"), ('{"step": 1, "reset": true}', "one after the other"),
       ('{"seed": 1}', "goes with reset"),
       ('{"command": {"push": 1}, "step": 0}', "from 1"), ('{"reset": false}', "must be true"),
       ('{"pause": "yes"}', "true or false"),
       ('{"command": {"push": -Infinity}}', "-Infinity is no finite")]  # fmt: skip


@pytest.mark.parametrize(("text", "why"), BAD, ids=range(len(BAD)))
def test_bad_messages_are_told_and_change_nothing(text, why):
    session = lock_step()
    assert why in session.answer(text)["error"] and session.errors == 1
    assert session.answer('{"step": 1}')["observations"] == [0.0]


def test_the_server_survives_a_thousand_clients_and_those_that_vanish():
    with serving(lock_step()) as server:
        for k in range(1000):
            link = socket.create_connection(("127.0.0.1", server.port))
            assert link.recv(1)
            if k % 3 == 0:
                link.sendall(b'{"step": 1')  # vanishes in the middle of a message
            if k % 50 == 1:
                link.sendall(b"x" * 100_000 + b"\n")
            link.close()
        with Client(server.port) as client:
            assert client.ask(step=1)["time"] == 0.01


def test_real_time_goes_on_while_clients_misbehave():
    session = Session(Plant(slider(), period=0.005), watchdog=None)
    with serving(session) as server, Client(server.port) as good:
        for text, why in BAD:
            with Client(server.port) as bad:
                bad.socket.sendall(text.encode("utf-8", "replace") + b"\n")
                answer = next(message for message in iter(bad.receive, None) if "error" in message)
                assert why in answer["error"] or "real time" in answer["error"]
        # the good client first receives the samples that were sent while the others misbehaved
        now = session.plant.time
        times = [message["time"] for message in until(good, lambda own: own.get("time", 0.0) > now + 0.05)]
        assert len(times) > 1 and np.all(np.diff(times) > 0.0) and session.errors == len(BAD)


def until(client, is_there, most=100_000):
    """Messages up to the first for which something holds."""
    found = []
    for _ in range(most):
        found.append(client.receive())
        if is_there(found[-1]):
            return found
    raise AssertionError("it never came")


def test_websockets_that_vanish_or_send_rubbish_are_survived():
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    session = lock_step()
    with serving(session, websocket=True) as server:
        address = f"ws://127.0.0.1:{server.port}"
        for k in range(60):
            link = connect(address)
            link.recv()
            if k % 3 == 0:
                link.send(b"\xff\xfe")
                assert "no JSON" in json.loads(link.recv())["error"]
            if k % 3 == 1:
                link.send("x" * 100_000)
                with pytest.raises(ConnectionClosed):
                    link.recv()
            link.socket.close()  # without a farewell
        with connect(address) as link:
            link.recv()
            link.send('{"step": 1}')
            assert json.loads(link.recv())["time"] == 0.01


def test_a_refused_reset_leaves_the_machine_as_it_is():
    session = lock_step()
    session.answer('{"command": {"push": 1.0}, "step": 3}')
    assert "mas" in session.answer('{"reset": true, "changes": {"bodies.mas.mass": 1}}')["error"]
    assert session.answer('{"step": 1}')["time"] == 0.04 and session.answer('{"reset": true}')["time"] == 0.0


def test_an_unexpected_error_is_told_and_the_session_goes_on(monkeypatch):
    session = lock_step()
    with monkeypatch.context() as patch:
        patch.setattr(session.plant, "snapshot", lambda: 1 / 0)
        assert "ZeroDivisionError" in session.answer('{"snapshot": "a"}')["error"]
    assert session.answer('{"step": 1}')["time"] == 0.01


def test_a_command_that_waits_is_forgotten_by_a_restore():
    session = lock_step()
    session.answer('{"snapshot": "start"}')
    session.answer('{"command": {"push": 3.0}}')
    session.answer('{"restore": "start"}')
    assert session.answer('{"step": 5}')["observations"] == [0.0]


def test_the_watchdog_takes_back_commands_of_a_snapshot():
    now = [0.0]
    session = Session(Plant(slider(), period=0.01), watchdog=1.0, clock=lambda: now[0])
    session.answer('{"command": {"push": 1.0}}')
    session.tick()
    session.answer('{"snapshot": "pushed"}')
    now[0] = 2.0
    assert session.tick()["watchdog"]
    session.answer('{"restore": "pushed"}')
    assert "watchdog" not in session.tick() and session.plant.stepper._moving.controls.asked["push"] == 1.0
    now[0] = 4.0
    assert session.tick()["watchdog"] and session.plant.stepper._moving.controls.asked["push"] == 0.0


def test_a_ramp_that_the_watchdog_takes_back_stays_there():
    now, scenario = [0.0], slider(acts="ramp")
    plant = Plant(scenario, period=0.01, observations=["joint.mass.acceleration"])
    session = Session(plant, watchdog=1.0, clock=lambda: now[0])
    session.answer('{"command": {"push": 2.0}}')
    assert [session.tick()["observations"] for _ in range(3)] == [pytest.approx([1.0], rel=1e-12)] * 3
    now[0] = 2.0
    assert [session.tick()["observations"] for _ in range(3)] == [pytest.approx([0.0], abs=1e-12)] * 3


def test_an_error_of_the_clock_ends_the_server_and_is_told():
    session = Session(Plant(slider(), period=0.005))
    session.tick = lambda: 1 / 0
    with pytest.raises(ZeroDivisionError):
        asyncio.run(Server(session, port=0).run(5.0))


def test_a_port_that_is_taken_is_told():
    with serving(lock_step()) as server, pytest.raises(taut.ScenarioError, match="choose another --port"):
        asyncio.run(Server(lock_step(), port=server.port).run(0.1))


def test_by_default_other_computers_find_nothing_on_the_port():
    with serving(lock_step()) as server:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing; tells the address that others know this computer by
            own = probe.getsockname()[0]
        if is_loopback(own):
            pytest.skip("this computer has no other address")
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((own, server.port), timeout=5)


def test_a_browser_sent_here_by_a_page_commands_nothing():
    session = lock_step()
    with serving(session) as server, socket.create_connection(("127.0.0.1", server.port)) as link:
        link.sendall(b'POST / HTTP/1.1\r\n\r\n{"command": {"push": 1.0}, "step": 5}\n')
        assert b"no web page" in link.makefile("rb").read()
    assert session.plant.time == 0.0


def test_only_loopback_listens_and_other_addresses_need_a_token():
    with serving(lock_step()) as server:
        assert server.host == "127.0.0.1" and server.token is None
        for link in server.listening:
            assert is_loopback(link.getsockname()[0])
    assert is_loopback("::1") and is_loopback("localhost") and not is_loopback("0.0.0.0")
    with serving(lock_step(), host="0.0.0.0") as server:
        with Client(server.port, token=server.token) as client:
            assert client.ask(step=1)["time"] == 0.01
        with Client(server.port, token="guess") as client:
            assert "token" in client.hello["error"]


def test_real_time_streams_and_the_watchdog_takes_commands_back():
    session = Session(Plant(slider(), period=0.005), watchdog=0.05)
    with serving(session) as server, Client(server.port) as client:
        client.send(command={"push": 2.0})
        seen = until(client, lambda message: message.get("observations", [0.0])[0] != 0.0)
        seen += until(client, lambda message: message.get("watchdog"))
        client.send(step=1)
        refusal = until(client, lambda message: "error" in message)[-1]
        assert "real time" in refusal["error"]
    times = [message["time"] for message in seen if "time" in message]
    assert len(times) > 1 and np.allclose(np.diff(times), 0.005)
    assert session.plant.stepper._moving.controls.asked["push"] == 0.0


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a compiler of C")
def test_the_client_in_c_of_the_docs(tmp_path):
    page = Path(__file__).parents[4] / "docs" / "usage" / "loop.md"
    text = next(own for own in re.findall(r"```text\n(.*?)```", page.read_text(), re.S) if "#include" in own)
    session = Session(Plant("crane-2d", period=0.01, observations=["x", "v", "load.position.x"]), watchdog=None)
    with serving(session) as server:
        (tmp_path / "client.c").write_text(text.replace("8765", str(server.port)))
        subprocess.run(["cc", "-o", "client", "client.c"], cwd=tmp_path, check=True)
        client = subprocess.Popen([tmp_path / "client"])
        # the program pushes the trolley towards x = 5
        with Client(server.port) as watching:
            until(watching, lambda message: message.get("observations", [0.0])[0] > 0.1)
        assert client.poll() is None and session.errors == 0
    # the client ends with the server
    assert client.wait(60) == 0


def test_overruns_are_counted_and_a_clock_can_be_faked():
    now = [0.0]
    session = Session(Plant(slider(), period=0.01), watchdog=1.0, clock=lambda: now[0])
    session.answer('{"command": {"push": 1.0}}')
    assert "watchdog" not in session.tick()
    now[0] = 2.0
    assert session.tick()["watchdog"] and session.answer('{"status": true}')["status"]["watchdog"]
    session.answer('{"pause": true}')
    assert session.tick() is None
