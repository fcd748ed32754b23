"""A server that steps a machine in real time or in lock-step, for programs in any language on this computer.

``taut.loop.serve.watch.Watch`` shows it in the browser; imported by those who want that, as it needs viser.
"""

from taut.loop.serve.client import Client
from taut.loop.serve.server import Server, is_loopback
from taut.loop.serve.session import Session

__all__ = ["Client", "Server", "Session", "is_loopback"]
