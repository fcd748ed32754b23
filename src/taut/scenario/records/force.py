"""Forces and torques on bodies, and springs with dampers between points of two bodies."""

from typing import Literal, Self

from pydantic import model_validator

from taut.scenario.base import Name, NonNegative, Positive, Record, Vec3, fault, note, quantity
from taut.scenario.signals.records import Signal

ZERO3 = (0.0, 0.0, 0.0)
Signals3 = tuple[Signal, Signal, Signal]


class Force(Record):
    """A force and a torque on a body, as signals."""

    name: Name | None = note("name in results and messages; none: force and its number", None)
    body: Name = note("body it acts on")
    point: Vec3 = quantity("point of attack, body frame", "m", ZERO3)
    force: Signals3 = quantity("force, three signals", "N", ZERO3)
    torque: Signals3 = quantity("torque, three signals", "N m", ZERO3)
    frame: Literal["world", "body"] = note("axes in which force and torque are given", "world")


class Spring(Record):
    """A massless spring and damper along the line between two points, which pulls and pushes.

    The force is stiffness (distance - length) + damping d(distance)/dt. A cable that only pulls is `kind: spring` among
    the cables.
    """

    name: Name = note("name of the spring in messages")
    bodies: tuple[Name, Name] = note("the two bodies; world is allowed")
    points: tuple[Vec3, Vec3] = quantity("where it is fastened, in each of the two body frames", "m")
    stiffness: Positive = quantity("force per length", "N/m")
    damping: NonNegative = quantity("force per rate of length", "N s/m", 0.0)
    length: Positive | None = quantity("free length; none: the distance at the start", "m", None)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.bodies[0] == self.bodies[1]:
            raise fault("must be two different bodies", at="bodies")
        return self
