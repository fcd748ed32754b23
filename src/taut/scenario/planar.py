"""What `planar: true` means for a body: a free body moves in x, z and the angle from x to z; hinges turn about -y."""

import math

from taut.scenario.records.body import Body
from taut.scenario.records.joint import DEFAULT_AXIS, Joint


def as_planar(body: Body) -> Body:
    """Return the body with its joint made planar: free becomes planar, a hinge without an axis turns about -y."""
    joint = body.joint
    if joint.kind == "free":
        return _free_to_planar(body)
    if joint.kind == "revolute" and joint.axis is None:
        return body.model_copy(update={"joint": joint.model_copy(update={"axis": DEFAULT_AXIS["planar"]})})
    return body


def _free_to_planar(body: Body) -> Body:
    R = body.rotation()
    x, _, z = body.position or (0.0, 0.0, 0.0)
    vx, _, vz = body.velocity or (0.0, 0.0, 0.0)
    turn = -(body.angular_velocity or (0.0, 0.0, 0.0))[1]
    changes = {"kind": "planar", "position": (x, z, math.atan2(R[2, 0], R[0, 0])), "velocity": (vx, vz, turn)}
    joint: Joint = body.joint.model_copy(update=changes)
    place = dict.fromkeys(("position", "orientation", "velocity", "angular_velocity"))
    return body.model_copy(update={"joint": joint, **place})
