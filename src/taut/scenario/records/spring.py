"""Springs with dampers between points of two bodies: they pull and push, and have no mass."""

from typing import Self

from pydantic import model_validator

from taut.scenario.base import Name, NonNegative, Positive, Record, Vec3, fault, note, quantity


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
