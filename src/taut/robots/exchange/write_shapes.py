"""Shapes of bodies in MJCF, for pictures: without mass and without contact."""

from typing import Any
from xml.etree.ElementTree import SubElement

import numpy as np

from taut.model import Model
from taut.robots.exchange.write_bodies import BodyWriter, text

PICTURE = {"contype": "0", "conaffinity": "0", "mass": "0", "rgba": "0.5 0.6 0.7 1"}
THIN = 0.01  # radius of a drawn shape whose record gives none [m]


def add_shapes(model: Model, bodies: BodyWriter) -> None:
    """Draw the bodies of the scenario that have a shape."""
    shaped = model.scenario.all_bodies() if model.scenario is not None else {}
    for name, node in model.names.bodies.items():
        body = shaped.get(name)
        if body is not None and node in bodies.elements:
            attributes = shape(body)
            if attributes:
                SubElement(bodies.elements[node], "geom", attributes | PICTURE)


def shape(body: Any) -> dict[str, str]:
    """Type and size of a body's shape; none for a body without one."""
    com = np.array(body.com)
    if body.box:
        return {"type": "box", "size": text(0.5 * np.array(body.box)), "pos": text(com)}
    if body.sphere:
        return {"type": "sphere", "size": text([body.sphere.radius]), "pos": text(com)}
    found = body.cylinder or body.tube or body.rod
    if not found:
        return {}
    half = 0.5 * found.length * np.array(found.axis) / np.linalg.norm(found.axis)
    radius = getattr(found, "radius", None) or getattr(found, "outer", THIN)
    return {"type": "cylinder", "size": text([radius]), "fromto": text([*(com - half), *(com + half)])}
