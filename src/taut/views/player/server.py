"""The local page: bound to this machine only, answering no other site, sharing nothing.

The page itself comes from viser. Three things are added here: the address is the loopback one, a web page of another
site cannot talk to the server through the user's browser, and the button that would publish the page has no effect.
"""

import contextlib
import io
from typing import Any

LOOPBACK = "127.0.0.1"
NEEDS = "pip install 'taut[view]' brings it"
ANY_PORT = 0


def new_server(title: str, port: int = ANY_PORT) -> Any:
    """Start a server on the loopback address; port 0 takes a free one."""
    viser = _viser()
    if not 0 <= port <= 65535:
        raise refusal("", f"port = {port}: must be from 0 to 65535", "0 takes a free one")
    if port and not _is_free(port):
        raise refusal("", f"port {port} is taken", "name another one, or none for a free one")
    # the server prints its address on stdout, which is for results only
    with contextlib.redirect_stdout(io.StringIO()):
        server = viser.ViserServer(host=LOOPBACK, port=port, label=title, verbose=False)
    _forbid_sharing(server)
    _forbid_other_sites(server)
    return server


def stop_server(server: Any) -> None:
    """Stop the server quietly."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(RuntimeError):
        server.stop()


def address(server: Any) -> str:
    """Address of the page."""
    return f"http://{LOOPBACK}:{server.get_port()}"


def open_browser(server: Any) -> None:
    """Open the page in the user's browser; where there is none, the address is printed anyway."""
    import webbrowser

    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address(server))


def refusal(source: str, reason: str, remedy: str) -> Exception:
    """The error that the command line explains; imported on failure only, because the import is slow."""
    from taut.results.errors import ResultError

    return ResultError(source, reason, remedy)


def _viser() -> Any:
    try:
        import viser
    except ImportError:
        raise refusal("", "the browser view needs viser, which is not installed", NEEDS) from None
    return viser


def _is_free(port: int) -> bool:
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def _forbid_sharing(server: Any) -> None:
    from viser import _messages

    server._websock_server.unregister_handler(_messages.ShareUrlRequest)
    server._websock_server.unregister_handler(_messages.ShareUrlDisconnect)


def _forbid_other_sites(server: Any) -> None:
    """Close a connection whose page did not come from this server, before anything is sent to it."""
    inside = server._websock_server

    async def check(connection: Any) -> None:
        raw = inside._live_connections.get(connection.client_id)
        if raw is not None and not is_own(raw.request.headers.get("Origin"), server.get_port()):
            await raw.close(1008, "this page belongs to another site")

    inside._client_connect_cb.insert(0, check)


def is_own(origin: str | None, port: int) -> bool:
    """Whether a connection comes from a page of this server; a program that is no browser names no origin."""
    return origin is None or origin in {f"http://{host}:{port}" for host in (LOOPBACK, "localhost")}
