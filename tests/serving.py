"""A server of taut.loop in a thread, for tests."""

import asyncio
import threading
from contextlib import contextmanager

from taut.loop.serve import Server


@contextmanager
def serving(session, **options):
    """A server in a thread, on a free port."""
    made, loop = threading.Event(), asyncio.new_event_loop()

    async def main():
        nonlocal server
        server = Server(session, port=0, **options)
        running = asyncio.ensure_future(server.run())
        await server.is_ready.wait()
        made.set()
        await running

    server: Server = None  # type: ignore[assignment]
    thread = threading.Thread(target=loop.run_until_complete, args=(main(),))
    thread.start()
    assert made.wait(120)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(server.stop)
        thread.join()
        loop.close()
