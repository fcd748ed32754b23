"""Robots from the XML files of CASPR: one rigid body on cables from the ground.

Taken: one link with a joint SPATIAL_EULER_XYZ, PLANAR_XY, PLANAR_XZ or T_XYZ; mass, centre of mass and inertia (about
the centre of mass or the joint); cable sets of cable_ideal and cable_linear_spring with two attachments, whose first is
on the ground (link 0) or a base_rotating_pulley. Everything else is refused, or listed by name as not taken. Files that
declare entities are refused: expanded, they could fill the memory or read other files.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.parsers import expat

import numpy as np

from taut.robots.problems import refusal

JOINTS = {"SPATIAL_EULER_XYZ": 6, "PLANAR_XY": 3, "PLANAR_XZ": 3, "T_XYZ": 3}
FELT = {"PLANAR_XY": 2, "PLANAR_XZ": 1}
LARGEST_FILE = 10_000_000  # largest size of a file that is read [bytes]
CABLES = ("cable_ideal", "cable_linear_spring")


@dataclass(frozen=True)
class Imported:
    """A scenario as a mapping, and what was left out."""

    data: dict[str, Any]
    not_taken: tuple[str, ...]


def read_caspr(bodies: str | Path, cables: str | Path, *, cable_set: str | None = None, stiffness: float | None = None,
               name: str = "") -> Imported:  # fmt: skip
    """The scenario that two files of CASPR describe.

    Args:
        bodies: file of the bodies.
        cables: file of the cables.
        cable_set: which of its sets; none: its default.
        stiffness: EA [N] of cables that have none; none: they do not stretch.
        name: of the machine; none: that of the link.

    Raises:
        ScenarioError: files that cannot be read, or a robot that cannot be taken.
    """
    link = one_link(parse(bodies), bodies)
    platform, com = platform_of(link, bodies)
    chosen = chosen_set(parse(cables), cables, cable_set)
    records = [cable_of(cable, com, stiffness, cables) for cable in chosen]
    for k, record in enumerate(records):
        # CASPR allows cables of the same name, a scenario does not
        if record["name"] in {other["name"] for other in records[:k]}:
            record["name"] = f"cable {k + 1}"
    if link.find("joint[@type='T_XYZ']") is not None and any(any(record["anchor"]) for record in records):
        raise refusal("the joint T_XYZ is taken for points only: all anchors at the origin", at=str(cables))
    title = name or link.get("name", "") or "robot"
    text = "imported from CASPR, cable set " + chosen.get("id", "")
    data = {"taut": 1, "name": title, "description": text, "platform": platform, "cables": records,
            "run": {"duration": 1.0}}  # fmt: skip
    return Imported(data, ())


def parse(path: str | Path) -> ElementTree.Element:
    """The root of an XML file without entities."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise refusal(f"cannot be read: {error.strerror}", at=str(path)) from None
    if len(content) > LARGEST_FILE:
        raise refusal(f"is larger than {LARGEST_FILE:,} bytes: no description of a robot", at=str(path))
    try:
        refuse_entities(content)
        return ElementTree.fromstring(content)
    except (expat.ExpatError, ElementTree.ParseError, ValueError, LookupError) as error:
        raise refusal(f"is no XML that can be taken: {error}", at=str(path)) from None


def refuse_entities(content: bytes) -> None:
    """Look through a document for declarations of entities, without expanding any."""
    parser = expat.ParserCreate()

    def declared(*_given: Any) -> None:
        raise ValueError("it declares entities")

    parser.EntityDeclHandler = declared
    parser.UnparsedEntityDeclHandler = declared
    parser.Parse(content, True)


def numbers(element: ElementTree.Element | None, count: int, what: str, path: str | Path) -> np.ndarray:
    """Numbers in the text of an element."""
    return listed(element.text or "" if element is not None else "", count, what, path)


def listed(text: str, count: int, what: str, path: str | Path) -> np.ndarray:
    """Numbers in a text, with blanks between."""
    try:
        found = np.array([float(part) for part in text.split()])
    except ValueError:
        found = np.zeros(0)
    if len(found) != count or not np.isfinite(found).all():
        raise refusal(f"{what} needs {count} numbers", at=str(path))
    return found


def one_link(root: ElementTree.Element, path: str | Path) -> ElementTree.Element:
    """The only link of a file; other files are refused."""
    links = root.findall("./links/link_rigid")
    others = [child.tag for child in root.findall("./links/*") if child.tag != "link_rigid"]
    if len(links) != 1 or others:
        message = (
            f"has {len(links)} rigid links{' and ' + ', '.join(others) if others else ''}: only one rigid body is taken"
        )
        raise refusal(message, at=str(path))
    return links[0]


def platform_of(link: ElementTree.Element, path: str | Path) -> tuple[dict[str, Any], np.ndarray]:
    """The platform's record, and its centre of mass."""
    joint = link.find("joint")
    kind = joint.get("type", "") if joint is not None else ""
    if joint is None or kind not in JOINTS:
        raise refusal(
            f"the joint {kind or 'of no type'} is not taken", at=str(path), remedy=f"one of {', '.join(JOINTS)}"
        )
    q = listed(joint.get("q_initial", "0 " * JOINTS[kind]), JOINTS[kind], "q_initial", path)
    parent = link.find("parent/location")
    mass = float(numbers(link.find("physical/mass"), 1, "mass", path)[0])
    com = numbers(link.find("physical/com_location"), 3, "com_location", path)
    origin = np.zeros(3) if parent is None else numbers(parent, 3, "parent location", path)
    inertia = inertia_of(link.find("physical/inertia"), kind, mass, com, path)
    record = {"mass": mass, "com": com.tolist(), "inertia": inertia.tolist(), **placed(kind, q, origin)}
    return record, com


def inertia_of(found: Any, kind: str, mass: float, com: np.ndarray, path: str | Path) -> np.ndarray:
    """Inertia about the centre of mass, with the entries in the order of the matrix."""
    if found is None:
        raise refusal("the link has no inertia", at=str(path))
    names = ("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
    xx, yy, zz, xy, xz, yz = (float(numbers(found.find(name), 1, name, path)[0]) for name in names)
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if found.get("ref") == "joint":
        tensor = tensor - mass * (com @ com * np.eye(3) - np.outer(com, com))
    if kind in FELT:
        # a planar joint feels the inertia about its axis only, often the only entry that the file gives: use it about
        # all axes
        tensor = np.eye(3) * tensor[FELT[kind], FELT[kind]]
    if kind == "T_XYZ":
        # a point does not turn, so its inertia never acts; the value only has to be positive
        return np.eye(3) * 1e-3 * mass
    if not np.linalg.eigvalsh(tensor)[0] > 0.0:
        raise refusal("the inertia of the link is not positive", at=str(path), remedy="give it one in the file")
    return tensor


def placed(kind: str, q: np.ndarray, origin: np.ndarray) -> dict[str, Any]:
    """The platform's position at the start, or the joint it moves on."""
    if kind == "PLANAR_XY":
        joint = {"kind": "planar", "axis": [0, 0, 1], "origin": origin.tolist(), "position": q.tolist()}
        return {"joint": joint}
    if kind == "PLANAR_XZ":
        # CASPR's angle is about +y, that of a planar joint here counts from x to z, which is about -y
        return {"joint": {"kind": "planar", "origin": origin.tolist(), "position": [q[0], q[1], -q[2]]}}
    found: dict[str, Any] = {"position": (origin + q[:3]).tolist()}
    if kind == "SPATIAL_EULER_XYZ" and np.any(q[3:]):
        found["orientation"] = {"euler": q[3:].tolist()}
    return found


def chosen_set(root: ElementTree.Element, path: str | Path, name: str | None) -> ElementTree.Element:
    """The cable set asked for, else the default one."""
    sets = {element.get("id", ""): element for element in root.findall("./cable_set")}
    wanted = name or root.get("default_cable_set", "") or next(iter(sets), "")
    if wanted not in sets:
        raise refusal(f"has no cable set {wanted!r}", at=str(path), remedy=f"one of {', '.join(sets) or 'none'}")
    return sets[wanted]


def cable_of(cable: Any, com: np.ndarray, stiffness: float | None, path: str | Path) -> dict[str, Any]:
    """The record of a cable."""
    name = cable.get("name", "") or "cable"
    if cable.tag not in CABLES:
        raise refusal(f"{name}: cables of the kind {cable.tag} are not taken", at=str(path))
    ends = cable.findall("attachments/*")
    if len(ends) != 2:
        raise refusal(f"{name}: has {len(ends)} attachments: cables along several bodies are not taken", at=str(path))
    (start, end), pulley = ends, {}
    if start.tag == "base_rotating_pulley":
        at = numbers(start.find("fixed_location"), 3, "fixed_location", path)
        radius = float(numbers(start.find("pulley_radius"), 1, "pulley_radius", path)[0])
        axis = numbers(start.find("cable_entry_vector"), 3, "cable_entry_vector", path)
        if not (radius > 0.0 and np.any(axis)):
            raise refusal(f"{name}: its pulley needs a radius and a cable_entry_vector", at=str(path))
        pulley = {"pulley": {"radius": radius, "axis": axis.tolist()}}
    else:
        at = numbers(start.find("location"), 3, "location", path)
    links = [(part.findtext("link") or "0").strip() for part in ends]
    if end.tag != "attachment" or links != ["0", "1"]:
        raise refusal(f"{name}: must run from the ground (link 0) to the body (link 1)", at=str(path))
    anchor = numbers(end.find("location"), 3, "location", path)
    anchor = anchor + com if cable.get("attachment_reference") == "com" else anchor
    low, high = (numbers(cable.find(f"properties/{key}"), 1, key, path)[0] for key in ("force_min", "force_max"))
    K = cable.find("properties/K")
    own = stiffness if K is None else float(numbers(K, 1, "K", path)[0])
    record = {"name": name, "exit": at.tolist(), "anchor": anchor.tolist(), "tension_limits": [float(low), float(high)]}
    return record | pulley | ({"kind": "ideal"} if own is None else {"kind": "spring", "axial_stiffness": own})
