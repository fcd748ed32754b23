"""JSON lines over TCP, or messages of a WebSocket, to and from a session; nothing beyond loopback unless asked for."""

import asyncio
import hmac
import json
import re
import secrets
from ipaddress import ip_address
from typing import Any, Protocol

from taut.loop.given import positive_time
from taut.loop.serve.messages import HTTP, MOST_BYTES, BadMessage, parse
from taut.loop.serve.session import Session
from taut.scenario.errors import Problem, ScenarioError

MOST_CLIENTS = 64
PICTURES = 20.0  # pictures per second for those who watch
MOST_WAITING = 1 << 20  # bytes that a client may leave unread; beyond that it gets no samples until it has read
GRACE = 5.0  # longest wait for the token of a client, and for a client to take its last message [s]
# origins of web pages that may open a WebSocket: pages of this machine, and programs, which send none
ORIGINS = [None, re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?")]


class Link(Protocol):
    """Interface of a connection by which texts are sent and received."""

    def post(self, text: str) -> None:
        """Send without waiting; left out for a client that does not read."""
        ...

    async def read(self) -> str | None:
        """Read the next message; None at the end of the connection."""
        ...

    async def close(self) -> None:
        """End the connection."""
        ...


class Watcher(Protocol):
    """Interface of a view that shows the machine."""

    def look(self) -> None:
        """Show the present state of the machine, if it has changed."""
        ...


class LineLink:
    """JSON lines over TCP."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take the reader and the writer of a connection."""
        self.reader, self.writer = reader, writer

    def post(self, text: str) -> None:
        """Send a text as a line."""
        if not self.writer.is_closing() and self.writer.transport.get_write_buffer_size() < MOST_WAITING:
            self.writer.write(text.encode() + b"\n")

    async def read(self) -> str | None:
        """The next line; one that is too long ends the connection."""
        try:
            line = await self.reader.readline()
        except ValueError:
            self.post(json.dumps({"error": f"a message has at most {MOST_BYTES} bytes"}))
            return None
        text = line.decode("utf-8", "replace")
        # refuse HTTP: a web page must not be able to command the machine through a visitor's browser
        if text.startswith(HTTP):
            self.post(json.dumps({"error": "this is no web page: send JSON lines"}))
            return None
        return text if line else None

    async def close(self) -> None:
        """End the connection."""
        self.writer.close()
        await asyncio.wait_for(self.writer.wait_closed(), GRACE)


class SocketLink:
    """Messages over a WebSocket."""

    def __init__(self, socket: Any) -> None:
        """Take the connection."""
        self.socket, self.tasks = socket, set()

    def post(self, text: str) -> None:
        """Send a message."""
        if self.socket.transport.get_write_buffer_size() < MOST_WAITING:
            task = asyncio.ensure_future(self._send(text))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def _send(self, text: str) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            await self.socket.send(text)
        except ConnectionClosed:
            pass

    async def read(self) -> str | None:
        """Read the next message."""
        from websockets.exceptions import ConnectionClosed

        try:
            found = await self.socket.recv()
        except ConnectionClosed:
            return None
        return found if isinstance(found, str) else found.decode("utf-8", "replace")

    async def close(self) -> None:
        """End the connection, after what was sent."""
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=GRACE)
        await self.socket.close()


class Server:
    """A session on a port."""

    def __init__(  # noqa: PLR0913 (keywords)
        self, session: Session, *, host: str = "127.0.0.1", port: int = 8765, token: str | None = None,
        websocket: bool = False, watch: Watcher | None = None,
    ) -> None:  # fmt: skip
        """Take a session; beyond loopback a token is made if none is given. ``watch`` shows the machine."""
        self.watch = watch
        self.session, self.host, self.port, self.websocket = session, host, port, websocket
        self.token = token or (None if is_loopback(host) else secrets.token_urlsafe(16))
        self.links: set[Link] = set()
        self.listening: list[Any] = []  # sockets on which the server listens
        self.is_ready = asyncio.Event()
        self._over = asyncio.Event()

    async def run(self, duration: float | None = None) -> None:
        """Serve until ``stop``, or for a time [s]."""
        if duration is not None:
            positive_time(duration, "for")
        server = await self._listen()
        over = asyncio.ensure_future(self._over.wait())
        tasks = [] if self.session.lock_step else [asyncio.ensure_future(self._clock())]
        tasks += [] if self.watch is None else [asyncio.ensure_future(self._show(self.watch))]
        self.is_ready.set()
        try:
            await asyncio.wait([over, *tasks], timeout=duration, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()  # these tasks end only by an error, which is raised here
        finally:
            for task in (over, *tasks):
                task.cancel()
            server.close()
            for link in list(self.links):
                await _quietly(link.close())
            await _quietly(asyncio.wait_for(server.wait_closed(), GRACE))

    def stop(self) -> None:
        """Stop the server; to be called in the thread of its event loop."""
        self._over.set()

    async def _listen(self) -> Any:
        try:
            if self.websocket:
                from websockets.asyncio.server import serve

                server = await serve(lambda socket: self._talk(SocketLink(socket)), self.host, self.port,
                                     max_size=MOST_BYTES, origins=ORIGINS)  # fmt: skip
            else:
                server = await asyncio.start_server(lambda r, w: self._talk(LineLink(r, w)), self.host, self.port,
                                                    limit=MOST_BYTES)  # fmt: skip
        except OSError as error:
            text = f"cannot listen at {self.host}:{self.port}: {error.strerror or error}"
            raise ScenarioError([Problem(text, remedy="choose another --port or --host")]) from None
        self.listening = list(server.sockets)
        self.port = self.listening[0].getsockname()[1]
        return server

    async def _clock(self) -> None:
        """Steps in real time; a clock that is more than a period late counts an overrun and goes on from now."""
        session, loop, period = self.session, asyncio.get_running_loop(), self.session.plant.period
        due = loop.time() + period
        while True:
            await asyncio.sleep(max(due - loop.time(), 0.0))
            late = loop.time() - due
            session.late = max(session.late, late)
            if late > period:
                session.overruns += 1
                due = loop.time()
            due += period
            sample = session.tick()
            if sample is not None:
                self.broadcast(sample)

    async def _show(self, watch: Watcher) -> None:
        """Show the present state of the machine in the views that watch."""
        while True:
            await asyncio.sleep(1.0 / PICTURES)
            watch.look()

    def broadcast(self, message: dict[str, Any]) -> None:
        """Send to every client."""
        text = json.dumps(message)
        for link in list(self.links):
            link.post(text)

    async def _talk(self, link: Link) -> None:
        """Serve one client from the first message to the end of its connection; its errors do not stop the server."""
        try:
            if len(self.links) >= MOST_CLIENTS:
                link.post(json.dumps({"error": f"at most {MOST_CLIENTS} clients"}))
            elif await self._is_allowed(link):
                await self._converse(link)
        except (ConnectionError, TimeoutError):
            pass
        finally:
            self.links.discard(link)
            self.session.clients = len(self.links)
            await _quietly(link.close())

    async def _converse(self, link: Link) -> None:
        link.post(json.dumps(self.session.hello()))
        self.links.add(link)
        self.session.clients = len(self.links)
        while (text := await link.read()) is not None:
            if text.strip():
                answer = self.session.answer(text)
                if answer is not None:
                    link.post(json.dumps(answer))

    async def _is_allowed(self, link: Link) -> bool:
        """Whether the first message holds the token, where one is needed."""
        if self.token is None:
            return True
        text = await asyncio.wait_for(link.read(), GRACE)
        try:
            given = str(parse(text or "").get("token", ""))
        except BadMessage:
            given = ""
        if hmac.compare_digest(given.encode(), self.token.encode()):
            return True
        link.post(json.dumps({"error": 'the first message must be {"token": "..."} with the token of the server'}))
        return False


async def _quietly(closing: Any) -> None:
    """Wait for the end of a connection that may be gone already."""
    try:
        await closing
    except (OSError, TimeoutError):
        pass


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this computer only."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
