"""`taut serve`: a machine in real time for other programs."""

from contextlib import suppress
from typing import Annotated, Any

import typer

from taut.cli.options import File, Set, split_names

Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 for any that is free.")]
Host = Annotated[str, typer.Option("--host", help="Address; any but loopback needs a token.")]
Token = Annotated[str | None, typer.Option("--token", help="What clients must send first; made if needed.")]
Period = Annotated[float, typer.Option("--period", help="Time between steps [s].")]
Lock = Annotated[bool, typer.Option("--lock-step", help="Go on only when a client says so.")]
Web = Annotated[bool, typer.Option("--websocket", help="WebSocket instead of JSON lines over TCP.")]
Watchdog = Annotated[float, typer.Option("--watchdog", min=0, help="Take commands back after so long [s]; 0: never.")]
Observe = Annotated[list[str] | None, typer.Option("--observe", help="What is measured, e.g. load.position.")]
Duration = Annotated[float | None, typer.Option("--for", help="End after so long [s].")]
View = Annotated[bool, typer.Option("--view/--no-view", help="The machine live in a page of this computer.")]
Opened = Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")]
ViewPort = Annotated[int, typer.Option("--view-port", min=0, max=65535, help="Port of the page; 0 for a free one.")]
Noise = Annotated[bool, typer.Option("--noise", help="With the faults of the sensors.")]


def serve(
    file: File,
    port: Port = 8765,
    host: Host = "127.0.0.1",
    token: Token = None,
    period: Period = 0.01,
    lock_step: Lock = False,
    websocket: Web = False,
    watchdog: Watchdog = 1.0,
    observe: Observe = None,
    noise: Noise = False,
    duration: Duration = None,
    view: View = True,
    opened: Opened = False,
    view_port: ViewPort = 0,
    settings: Set = None,
) -> None:
    """Step a machine in real time for programs on this computer: commands in, measurements out, as JSON lines.

    A page of this computer shows the machine live, with charts of measurements and commands.

    Example: taut serve crane-2d --port 8765 --observe x,v,load.position.x --open
    """
    import asyncio

    from taut.cli.inputs import read_input
    from taut.cli.running import say
    from taut.loop.plant import Plant
    from taut.loop.serve import Server, Session

    scenario = read_input(file, settings or []).scenario
    plant = Plant(scenario, period=period, observations=split_names(observe) if observe else None, noise=noise)
    warm_up(plant)
    session = Session(plant, lock_step=lock_step, watchdog=watchdog or None)
    watch = open_watch(session, view_port, is_opened=opened) if view else None

    async def run() -> None:
        server = Server(session, host=host, port=port, token=token, websocket=websocket, watch=watch)
        running = asyncio.ensure_future(server.run(duration))
        ready = asyncio.ensure_future(server.is_ready.wait())
        await asyncio.wait([running, ready], return_when=asyncio.FIRST_COMPLETED)
        if server.is_ready.is_set():
            scheme = "ws" if websocket else "tcp"
            say(f"{scenario.name} at {scheme}://{host}:{server.port}, period {period:g} s; Ctrl-C ends it")
            if server.token is not None and token is None:
                say(f'clients must first send {{"token": "{server.token}"}}')
        ready.cancel()
        await running

    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        pass
    finally:
        if watch is not None:
            watch.close()
    say(f"{session.plant.time:.9g} s, {session.overruns} overruns, {session.errors} bad messages")


def warm_up(plant: Any) -> None:
    """Load the compiled code before the clock starts; errors are ignored here, since clients' commands meet them."""
    from taut.integrate.stepper import StepError

    with suppress(StepError):
        plant.step()
    plant.reset()


def open_watch(session: Any, port: int, *, is_opened: bool) -> Any:
    """The page with the live machine, or None, with a word, where viser is not installed."""
    from importlib.util import find_spec

    from taut.cli.running import say

    if find_spec("viser") is None:
        say("no live view: it needs viser, pip install 'taut[view]'")
        return None
    from taut.loop.serve.watch import Watch

    watch = Watch(session, port=port)
    say(f"live view at {watch.address}")
    if is_opened:
        watch.open()
    return watch
