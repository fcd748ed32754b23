"""Bodies and joints of a model as elements of MJCF.

Every body stands where it is at the start, and the reference position of its joints is that of the start: qpos0 of
MuJoCo is our start, and its coordinates of hinges and slides are ours. A joint's moves are slides, then turns, so that
all its axes go through the body's origin. Axis a_k of the joint frame is, in the axes of the body at the start,
    (R_k+1 ... R_n)^T a_k                                                                                   (1)
with the turns R of the moves after it.
"""

from typing import Any
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from taut.model import Data, Model
from taut.model.enums import DRIVEN_JOINTS, MODAL_JOINTS, JointKind, LawKind
from taut.model.joints import axis_of, moves_of
from taut.robots.exchange.labels import LeftOut, bad
from taut.scenario.records.orientation import quaternion_from_rotation, rotation_from_vector

NEARLY_NOTHING = 1e-12  # mass and inertia of moving bodies that have none, because MuJoCo refuses zero [kg, kg m^2]
UNSAID = {JointKind.SMALL: "small rotations", JointKind.FEED: "a cable of elements that runs over guides or a drum"}
SAID_LAWS = (LawKind.NONE, LawKind.LINEAR, LawKind.POLYNOMIAL)
# hinges and slides: name of MuJoCo's joint, number of our column, row of the table of columns
Columns = list[tuple[str, int, Any]]


class BodyWriter:
    """The elements of all nodes, by node; ``columns`` are those that became hinges and slides."""

    def __init__(self, model: Model, data: Data, world: Element, left: LeftOut) -> None:
        """Write all nodes; data is the placed start."""
        self.model, self.data, self.left = model, data, left
        self.elements: dict[int, Element] = {0: world}
        self.columns: Columns = []
        self.balls: list[tuple[str, int]] = []  # joints with a quaternion: name, number of the first column
        self.drums = drum_nodes(model)
        for i in range(1, len(model.tables.nodes)):
            if i not in self.drums:
                self.add(i)

    def name(self, i: int) -> str:
        """Name of a node."""
        return self.model.names.nodes[i]

    def pose(self, i: int) -> tuple[np.ndarray, np.ndarray]:
        """Axes and origin of a node at the start, world."""
        return np.array(self.data.nodes[i].R).reshape(3, 3), np.array(self.data.nodes[i].x)

    def add(self, i: int) -> None:
        """Add one node with its joint."""
        node: Any = self.model.tables.nodes[i]
        kind = JointKind(node.kind)
        if kind in MODAL_JOINTS or kind in UNSAID:
            what = UNSAID.get(kind, "a cable of assumed modes, or a reduced one")
            raise bad(self.name(i), f"MJCF has nothing for {what}", "export a machine without it")
        parent = int(node.parent)
        (R_p, x_p), (R, x) = self.pose(parent), self.pose(i)
        body = SubElement(self.elements[parent], "body", name=self.name(i), pos=text(R_p.T @ (x - x_p)))
        if not np.array_equal(R_p, R):
            body.set("quat", text(quaternion_from_rotation(R_p.T @ R)))
        self.elements[i] = body
        if kind == JointKind.DRIVEN or kind in DRIVEN_JOINTS:
            self.left.add("prescribed motions, which stand still here, of", self.name(i))
        elif node.column_count:
            self.add_joints(body, i, node, kind)
        self.add_inertia(body, i, node)

    def add_joints(self, body: Element, i: int, node: Any, kind: JointKind) -> None:
        """Hinges, slides and balls of one node."""
        if kind == JointKind.FREE:
            free = SubElement(body, "freejoint", name=self.name(i))
            self.add_ball(free, i, int(node.column))
            return
        after, joints = np.eye(3), []
        column, q = int(node.column + node.column_count), list(self.data.q[self.model.coordinates_of(i)])
        for move in reversed(moves_of(kind)):
            if move.how == "ball":
                column -= 3
                joints.append((Element("joint", name=self.name(i), type="ball"), column, True))
                continue
            column -= 1
            axis, value = axis_of(move, node.axis_1, node.axis_2), float(q.pop())
            how = "hinge" if move.how == "turn" else "slide"
            own = {
                "name": self.model.names.columns[column],
                "type": how,
                "axis": text(after.T @ axis),
                "ref": text([value]),
            }  # Eq. (1)
            joints.append((Element("joint", own), column, False))
            if move.how == "turn":
                after = rotation_from_vector(value * axis) @ after
        for joint, first, is_ball in reversed(joints):
            body.append(joint)
            if is_ball:
                self.add_ball(joint, i, first)
            else:
                self.add_laws(joint, self.model.names.columns[first], self.model.tables.columns[first])
                self.columns.append((joint.get("name", ""), first, self.model.tables.columns[first]))

    def add_ball(self, joint: Element, i: int, first: int) -> None:
        """A free turn, whose damping is the same about all axes; springs would be relaxed at the start."""
        self.balls.append((self.name(i), first))
        count = int(self.model.tables.nodes[i].column + self.model.tables.nodes[i].column_count - first)
        rows = [self.model.tables.columns[c] for c in range(first, first + count)]
        damping = {float(row.damping + row.viscous) for row in rows}
        if len(damping) == 1 and joint.tag == "joint":
            joint.set("damping", text(damping))
        elif damping != {0.0}:
            self.left.add("damping of free joints", self.name(i))
        if any(row.stiffness or row.coulomb for row in rows):
            self.left.add("springs and dry friction of free and ball joints", self.name(i))
        if any(row.signal >= 0 for row in rows):
            self.left.add("forces on free and ball joints", self.name(i))

    def add_laws(self, joint: Element, name: str, row: Any) -> None:
        """Spring, damper, dry friction and rotor inertia of a coordinate."""
        more = np.trim_zeros(np.array(row.parameter), "b") if row.law == LawKind.POLYNOMIAL else np.zeros(0)
        if row.law not in SAID_LAWS or len(more) > 2:
            self.left.add(f"laws ({LawKind(int(row.law)).name.lower().replace('_', '-')}) of joints", name)
        elif row.law != LawKind.NONE:
            joint.set("stiffness", text([row.stiffness, *more]))
            joint.set("springref", text([row.free]))
        own = row.damping if row.law in SAID_LAWS and len(more) <= 2 else 0.0
        for key, value in {"damping": own + row.viscous, "frictionloss": row.coulomb, "armature": row.armature}.items():
            if value:
                joint.set(key, text([value]))
        if row.stiction or row.brake:
            self.left.add("stiction and brakes of joints", name)

    def add_inertia(self, body: Element, i: int, node: Any) -> None:
        """Mass, and inertia about principal axes."""
        if node.mass == 0.0:
            if (joint := body.find("joint")) is not None:
                self.add_wheel(joint, i, node)
                self.left.add(f"bodies without mass, which get {NEARLY_NOTHING:g} kg", self.name(i))
                tiny = text([NEARLY_NOTHING] * 3)
                SubElement(body, "inertial", pos=text(node.com), mass=text([NEARLY_NOTHING]), diaginertia=tiny)
            return
        tensor = np.zeros((3, 3))
        tensor[np.triu_indices(3)] = node.inertia
        principal, axes = np.linalg.eigh(tensor + np.triu(tensor, 1).T)
        if principal[2] - principal[0] - principal[1] > 1e-9 * principal[2] + 2.0 * NEARLY_NOTHING:
            raise bad(self.name(i), "its inertia is that of no body: one principal value is more than the other two",
                      "give another inertia; MuJoCo refuses this one")  # fmt: skip
        axes[:, 2] *= np.linalg.det(axes)
        principal = np.maximum(principal, NEARLY_NOTHING)
        # MuJoCo refuses a principal inertia larger than the sum of the others; a flat body has equality, but for
        # rounding
        principal[2] = min(principal[2], principal[0] + principal[1])
        SubElement(body, "inertial", pos=text(node.com), mass=text([node.mass]), diaginertia=text(principal),
                   quat=text(quaternion_from_rotation(axes)))  # fmt: skip

    def add_wheel(self, joint: Element, i: int, node: Any) -> None:
        """Inertia of a wheel whose mass its carrier has: about the one axis about which it turns."""
        inertia = float(node.inertia[[0, 3, 5]].sum())
        if inertia and joint.get("type") == "hinge":
            joint.set("armature", text([inertia]))
            if node.parent > 0:
                self.left.add("that the inertia of wheels on moving bodies turns with these too", self.name(i))


def drum_nodes(model: Model) -> set[int]:
    """Nodes without mass whose coordinate pays out a cable: drums."""
    tables: Any = model.tables
    found = set()
    for route in tables.routes:
        for k in range(route.guide + route.count, route.guide + route.count + route.feeds):
            found.add(int(tables.guides[k].node))
    return {i for i in found if tables.nodes[i].mass == 0.0 and not (tables.nodes["parent"] == i).any()}


def text(values: Any) -> str:
    """Numbers with blanks between, none rounded."""
    return " ".join(repr(float(value) + 0.0) for value in values)
