"""Cables of all kinds: their exits first, then each from its exit to its anchor by the builder of its kind."""

from typing import Any

import numpy as np

from taut.build.cables.axes import machine_lines
from taut.build.cables.begin import Begin
from taut.build.cables.chain import add_chain
from taut.build.cables.massless import add_ideal, add_spring
from taut.build.cables.pretension import pretensioned
from taut.build.cables.reduced import add_reduced
from taut.build.cables.ritz import add_ritz
from taut.build.cables.routes import laid_way
from taut.build.cables.winches import own_length
from taut.build.context import Context
from taut.build.machine.drivers import exit_node
from taut.scenario.cables.ways import is_routed

BUILDERS: dict[str, Any] = {"mrfe": add_chain, "ritz": add_ritz, "spring": add_spring, "ideal": add_ideal}
REDUCED: dict[str, Any] = {"mrfe": add_reduced, "ritz": add_ritz}
NEAREST = 1e-12  # least distance of exit and anchor, so that the cable has a direction [m]


def add_cables(context: Context) -> None:
    """Add every cable."""
    cables = context.scenario.cables
    exits = context.exits = [exit_node(context, cable) for cable in cables]
    context.lines = machine_lines(context, exits)
    begins = [begin_of(context, cable, f"cables[{i}]", exits[i]) for i, cable in enumerate(cables)]
    for i, (cable, begin) in enumerate(zip(cables, pretensioned(context, begins), strict=True)):
        path = f"cables[{i}]"
        if cable.kind not in BUILDERS:
            raise context.scenario.error(f"{path}.kind", "cannot be built", value=cable.kind)
        add: Any = (REDUCED if cable.name in context.shapes else BUILDERS)[cable.kind]
        add(context, cable, path, begin)
        context.tree.own_lengths[cable.name] = begin.length


def begin_of(context: Context, cable: Any, path: str, exit_at: tuple[int, tuple[float, float, float]]) -> Begin:
    """Exit, direction and length of a cable at the start."""
    node, point = exit_at
    R_exit, x_exit = context.placements[node]
    chord = context.to_world(cable.body, cable.anchor) - (x_exit + R_exit @ np.array(point))
    distance = float(np.linalg.norm(chord))
    if distance < NEAREST and not is_routed(cable) and (cable.length is None or cable.kind == "mrfe"):
        message = "the exit lies on the anchor at the start: the cable has no direction"
        raise context.scenario.error(f"{path}.exit", message, value=cable.exit)
    if not is_routed(cable):
        return Begin(node, point, chord, own_length(context, cable, distance))
    laid = laid_way(context, cable, path, x_exit + R_exit @ np.array(point))
    return Begin(node, point, chord, own_length(context, cable, laid.length), laid)
