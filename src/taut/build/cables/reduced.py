"""A reduced cable: one node that carries the whole cable as a sum of shapes."""

from taut.build.cables.axes import relaxed_direction
from taut.build.cables.begin import Begin
from taut.build.cables.chain import ORIGIN, add_anchor, make_element
from taut.build.cables.winches import Feed
from taut.build.context import Context
from taut.build.reduction.reduced import CableShapes, ReducedCable, angles_of, cable_tables
from taut.build.tree import ModalSpec
from taut.model.enums import JointKind
from taut.scenario.cables.mrfe import CableMrfe


def add_reduced(context: Context, cable: CableMrfe, path: str, begin: Begin) -> None:
    """Add the node and close its end to the anchor; the node of the exit does not turn."""
    shapes = context.shapes[cable.name]
    if not isinstance(shapes, CableShapes):
        raise TypeError(f"{cable.name} needs shapes of a chain")
    if shapes.elements != cable.elements:
        message = f"the reduced model has {shapes.elements} elements in {cable.name}"
        raise context.scenario.error(f"{path}.elements", message, value=cable.elements)
    if context.scenario.cut_place(cable.name) < 1.0:
        message = f"{cable.name} is reduced, and a sum of shapes can be cut at its anchor only"
        raise context.scenario.error("failures", message, remedy="leave out place, or do not reduce this cable")
    R_exit = context.placements[begin.node][0]
    element = make_element(cable, begin.length, Feed())
    clamp = None
    if cable.exit_bending == "clamped":
        clamp = angles_of(shapes.frame, relaxed_direction(cable, R_exit, begin.chord))
    modal = ModalSpec.reduced_cable(cable_tables(shapes, element, clamp))
    end = context.tree.add_node(f"{cable.name}.cable", JointKind.REDUCED, begin.node, offset=begin.point,
                                rotation=shapes.frame, modal=modal)  # fmt: skip
    context.tree.cables[cable.name] = (end,)
    law = element.stretch
    context.reduced[cable.name] = ReducedCable(shapes, law.stiffness, law.damping, law.free)
    add_anchor(context, cable, end, ORIGIN)
