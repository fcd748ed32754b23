"""`taut view`: results and scenarios in the browser."""

from typing import Annotated

import typer

from taut.cli.options import Workspace

Files = Annotated[
    list[str],
    typer.Argument(metavar="RESULT|SCENARIO", help="A result, several to overlay, a workspace, or a scenario."),
]


def view(
    files: Files,
    port: Annotated[int, typer.Option(help="Port on this machine; 0 takes a free one.")] = 0,
    is_opened: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
    dark: Annotated[bool, typer.Option("--dark/--light", help="Colours of the page.")] = False,
    workspace: Workspace = None,
) -> None:
    """Show a result in the browser: the machine in 3D, play and scrub, linked plots.

    A scenario opens in the studio, with its numbers as fields, Run and Save. A workspace that `taut workspace` wrote is
    drawn around its robot at the start, or with --workspace around the machine of a result or scenario; a switch in the
    page hides it. The page is for this machine only. Ctrl-C ends it.

    Example: taut view pick-and-place.nc

    Example: taut view ipanema-3.nc --workspace workspace.nc
    """
    from taut.cli.viewing import Look, open_page

    # write the address at once: a program that reads it must not wait until a buffer is full
    look = Look(port, is_opened, dark, lambda address: print(f"open {address}   (Ctrl-C ends)", flush=True))
    page = open_page(files, look, workspace)

    from taut.views.player import wait_for_end

    wait_for_end(page)
