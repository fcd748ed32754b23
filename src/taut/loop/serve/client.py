"""A client for Python programs; any other language needs no more than a socket and JSON."""

import json
import socket
from typing import Any


class Client:
    """A connection to ``taut serve`` over TCP.

    Examples:
        client = Client(8765)
        client.send(command={"push": 10.0}, step=1)
        print(client.receive()["observations"])
    """

    def __init__(
        self, port: int = 8765, host: str = "127.0.0.1", *, token: str | None = None, timeout: float = 30.0
    ) -> None:
        """Connect; ``hello`` says what there is."""
        self.socket = socket.create_connection((host, port), timeout)
        self.lines = self.socket.makefile("rb")
        if token is not None:
            self.send(token=token)
        self.hello = self.receive()

    def send(self, **message: Any) -> None:
        """Send a message such as ``command={"push": 1.0}``."""
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def receive(self) -> dict[str, Any]:
        """The next message.

        Raises:
            ConnectionError: the server has ended.
        """
        line = self.lines.readline()
        if not line:
            raise ConnectionError("the server has closed the connection")
        return json.loads(line)

    def ask(self, **message: Any) -> dict[str, Any]:
        """Send, and return the answer; for lock-step, where nothing else comes."""
        self.send(**message)
        return self.receive()

    def close(self) -> None:
        """Close the connection."""
        self.lines.close()
        self.socket.close()

    def __enter__(self) -> "Client":
        """Use the client in a ``with`` block."""
        return self

    def __exit__(self, *_: Any) -> None:
        """Close the connection at the end of the block."""
        self.close()
