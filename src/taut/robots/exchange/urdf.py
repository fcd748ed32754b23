"""URDF: a tree of links on joints.

Read here, element by element, and not by MuJoCo or Pinocchio: the format has neither defaults nor includes to resolve,
no extra is needed, and readers made for simulation drop what they do not know without a word, merge links and want the
mesh files. A link's frame is that of the joint it hangs on; angles are roll, pitch, yaw about fixed axes, so that
R = Rz(yaw) Ry(pitch) Rx(roll).
"""

from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from taut.robots.exchange.caspr import Imported, listed, parse
from taut.robots.exchange.labels import Labels, LeftOut, bad
from taut.scenario.records.orientation import rotation_about

KINDS = {"fixed": "fixed", "revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic",
         "planar": "planar", "floating": "free"}  # fmt: skip
LINK_PARTS = {"inertial", "visual", "collision"}
JOINT_PARTS = {"parent", "child", "origin", "axis", "limit", "dynamics"}


def read_urdf(path: str | Path, *, is_free: bool = False) -> Imported:
    """The scenario that a URDF file describes.

    Args:
        path: the file.
        is_free: whether the base moves freely; else it stands in the world.

    Raises:
        ScenarioError: a file that cannot be read, or a machine that cannot be taken.
    """
    root = parse(path)
    if root.tag != "robot":
        raise bad(path, f"is no URDF: its root is <{root.tag}>", "one of <robot> (URDF), <mujoco> (MJCF)")
    if any("xacro" in element.tag or "${" in "".join(element.attrib.values()) for element in root.iter()):
        raise bad(path, "is a xacro file, which a program has to expand", "run: xacro FILE.xacro > FILE.urdf")
    return Tree(root, path).scenario(is_free)


class Tree:
    """The links and joints of one file."""

    def __init__(self, root: Element, path: str | Path) -> None:
        """Collect links and joints by name."""
        self.root, self.path = root, path
        self.left, labels = LeftOut(), Labels()
        self.links = self.by_name("link")
        if not self.links:
            raise bad(path, "has no links")
        self.joints = {self.end(joint, "child"): joint for joint in self.by_name("joint").values()}
        if len(self.joints) < len(root.findall("joint")):
            raise bad(path, "a link hangs on two joints: the links must form a tree")
        self.label = {name: labels.make(name, "link") for name in self.links}
        bases = [name for name in self.links if name not in self.joints]
        if len(bases) != 1:
            raise bad(path, f"has {len(bases)} links that hang on none, not one: {', '.join(bases) or 'a ring'}")
        self.base = bases[0]
        self.order = self.parents_first()
        self.carried = self.carried_masses()

    def by_name(self, tag: str) -> dict[str, Element]:
        """Elements of a kind; each needs a name of its own."""
        found: dict[str, Element] = {}
        for element in self.root.findall(tag):
            name = element.get("name", "")
            if not name or name in found:
                raise bad(self.path, f"has a {tag} without a name" if not name else f"has two {tag}s named {name!r}")
            found[name] = element
        return found

    def end(self, joint: Element, which: str) -> str:
        """Name of the parent or the child of a joint."""
        element = joint.find(which)
        name = element.get("link", "") if element is not None else ""
        if name not in self.links:
            raise bad(self.path, f"joint {joint.get('name')}: its {which} {name!r} is no link")
        return name

    def mass_of(self, name: str) -> float:
        """Mass of a link [kg]; one without inertial has none."""
        found = self.links[name].find("inertial")
        return 0.0 if found is None else float(self.numbers(found.find("mass"), "value", f"mass of {name}", 1)[0])

    def parents_first(self) -> list[str]:
        """All links, each after the one it hangs on."""
        children: dict[str, list[str]] = {}
        for child, joint in self.joints.items():
            children.setdefault(self.end(joint, "parent"), []).append(child)
        found = [self.base]
        for name in found:
            found += children.get(name, [])
        if len(found) < len(self.links):
            ring = [name for name in self.links if name not in set(found)]
            raise bad(self.path, f"links hang on each other in a ring: {', '.join(ring)}")
        return found

    def carried_masses(self) -> dict[str, float]:
        """Mass of every link together with all that hang on it [kg]."""
        total = {name: self.mass_of(name) for name in self.order}
        for name in reversed(self.order[1:]):
            total[self.end(self.joints[name], "parent")] += total[name]
        return total

    def numbers(self, element: Element | None, key: str, what: str, count: int, otherwise: str = "") -> np.ndarray:
        """Numbers in an attribute of an element."""
        text = otherwise if element is None else element.get(key, otherwise)
        return listed(text, count, what, self.path)

    def scenario(self, is_free: bool) -> Imported:
        """The machine as a mapping, parents first."""
        bodies: dict[str, Any] = {}
        for name in self.order:
            record = self.body(name, is_free)
            if record is not None:
                bodies[self.label[name]] = record
        self.rest()
        title = self.root.get("name", "") or "robot"
        data = {"taut": 1, "name": printable(title), "description": "imported from URDF", "bodies": bodies,
                "run": {"duration": 1.0}}  # fmt: skip
        return Imported(data, self.left.lines())

    def body(self, name: str, is_free: bool) -> dict[str, Any] | None:
        """The record of a link; None for one that moves and has no mass to move."""
        self.ornaments(name)
        joint = self.joints.get(name)
        kind = "fixed" if joint is None else joint.get("type", "")
        if kind != "fixed" and self.carried[name] <= 0.0:
            self.left.add("links that move and have no mass", name)
            return None
        if self.carried[name] <= 0.0 and joint is not None and not self.is_kept(name):
            return None
        record = self.inertial(name)
        if joint is None:
            return record | {"joint": {"kind": "free" if is_free else "fixed"}}
        return record | ({} if kind == "floating" and self.floating(joint) else {"joint": self.joint(joint, kind)})

    def is_kept(self, name: str) -> bool:
        """Whether the link that a link without mass is fixed to is in the scenario."""
        parent = self.end(self.joints[name], "parent")
        joint = self.joints.get(parent)
        if joint is None or self.carried[parent] > 0.0:
            return True
        return joint.get("type") == "fixed" and self.is_kept(parent)

    def inertial(self, name: str) -> dict[str, Any]:
        """Mass, centre of mass and inertia in the link's axes."""
        mass, found = self.mass_of(name), self.links[name].find("inertial")
        if found is None:
            return {"massless": True}
        tensor = found.find("inertia")
        keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        values = (self.numbers(tensor, key, f"{key} of {name}", 1, "0" if key[1] != key[2] else "") for key in keys)
        xx, yy, zz, xy, xz, yz = (float(value[0]) for value in values)
        if mass <= 0.0:
            if any((xx, yy, zz, xy, xz, yz)):
                self.left.add("inertias of links without mass", name)
            return {"massless": True}
        at, R = self.pose(found.find("origin"), f"inertial of {name}")
        inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        return {"mass": mass, "com": at.tolist(), "inertia": (0.5 * (inertia + inertia.T)).tolist()}

    def pose(self, origin: Element | None, what: str) -> tuple[np.ndarray, np.ndarray]:
        """Position and axes in an ``origin`` element of a file."""
        at = self.numbers(origin, "xyz", f"xyz of {what}", 3, "0 0 0")
        roll, pitch, yaw = self.numbers(origin, "rpy", f"rpy of {what}", 3, "0 0 0")
        return at, rotation_about("z", yaw) @ rotation_about("y", pitch) @ rotation_about("x", roll)

    def floating(self, joint: Element) -> bool:
        """Whether a floating joint can be taken: against the world it stands at the origin of the base."""
        parent, what = self.end(joint, "parent"), joint.get("name", "")
        at, R = self.pose(joint.find("origin"), what)
        if parent != self.base or at.any() or (R != np.eye(3)).any():
            raise bad(self.path, f"joint {what}: floats, but not against the world's origin",
                      "bodies that move freely do so against the world")  # fmt: skip
        return True

    def joint(self, joint: Element, kind: str) -> dict[str, Any]:
        """The record of a joint."""
        name = joint.get("name", "")
        if kind not in KINDS:
            raise bad(self.path, f"joint {name}: the type {kind!r} is not taken", f"one of {', '.join(KINDS)}")
        record: dict[str, Any] = {"kind": KINDS[kind], "parent": self.label[self.end(joint, "parent")]}
        at, R = self.pose(joint.find("origin"), name)
        if at.any():
            record["origin"] = at.tolist()
        if (R != np.eye(3)).any():
            record["orientation"] = {"matrix": R.tolist()}
        if kind != "fixed":
            record["axis"] = self.axis(joint).tolist()
            record |= self.limits(joint, kind) | self.friction(joint)
        for part in joint:
            if part.tag not in JOINT_PARTS:
                self.left.add(f"<{part.tag}> of joints", name)
        return record

    def axis(self, joint: Element) -> np.ndarray:
        """Axis of a joint at length one, in its frame."""
        axis = self.numbers(joint.find("axis"), "xyz", f"axis of {joint.get('name')}", 3, "1 0 0")
        size = float(np.linalg.norm(axis))
        if not size > 0.0:
            raise bad(self.path, f"joint {joint.get('name')}: its axis has no direction")
        return axis / size

    def limits(self, joint: Element, kind: str) -> dict[str, Any]:
        """The range of a joint; a run does not stop there."""
        limit, name = joint.find("limit"), joint.get("name", "")
        if limit is None:
            return {}
        for key in ("effort", "velocity"):
            if key in limit.attrib:
                self.left.add(f"largest {key} of joints", name)
        if kind not in ("revolute", "prismatic"):
            return {}
        low, high = (float(self.numbers(limit, key, f"{key} of {name}", 1, "0")[0]) for key in ("lower", "upper"))
        self.left.add("stops of joints in a run (their range is kept for kinematic analyses)", name)
        return {"range": [low, high]} if low < high else {}

    def friction(self, joint: Element) -> dict[str, Any]:
        """Dry and viscous friction of a joint."""
        found, name = joint.find("dynamics"), joint.get("name", "")
        viscous, dry = (
            float(self.numbers(found, key, f"{key} of {name}", 1, "0")[0]) for key in ("damping", "friction")
        )
        return {"friction": {"coulomb": dry, "viscous": viscous}} if viscous or dry else {}

    def ornaments(self, name: str) -> None:
        """Shapes of a link, and what is unknown."""
        for part in self.links[name]:
            if part.tag in ("visual", "collision"):
                mesh = part.find("geometry/mesh")
                file = f" ({mesh.get('filename', '')})" if mesh is not None else ""
                kind = "shapes for pictures" if part.tag == "visual" else "shapes for contact"
                self.left.add(f"{kind} of links", name + file)
            elif part.tag not in LINK_PARTS:
                self.left.add(f"<{part.tag}> of links", name)

    def rest(self) -> None:
        """Note the elements of a file beside links and joints."""
        for element in self.root:
            if element.tag not in ("link", "joint"):
                self.left.add(f"<{element.tag}>", element.get("name", "") or element.get("reference", ""))


def printable(text: str) -> str:
    """A title without control characters."""
    return "".join(letter for letter in text if letter.isprintable())[:200].strip() or "robot"
