"""Loop closures: constraints between two bodies that are already in the tree."""

from typing import Literal, Self

from pydantic import model_validator

from taut.scenario.base import Direction, Name, Record, Vec3, fault, note, quantity

ClosureKind = Literal["point", "spherical", "revolute", "universal", "fixed"]
CLOSURE_SIZES = {"point": 3, "spherical": 3, "revolute": 5, "universal": 4, "fixed": 6}


class Closure(Record):
    """Where and how two bodies are joined to close a loop. `point` and `spherical` are the same constraint."""

    name: Name = note("name of the closure in results and messages")
    kind: ClosureKind = note("which relative motions are stopped", "point")
    bodies: tuple[Name, Name] = note("the two bodies; world is allowed")
    points: tuple[Vec3, Vec3] | None = quantity("the joined point, in each of the two body frames", "m", None)
    at: Vec3 | None = quantity("the joined point in the world at the start, instead of points", "m", None)
    axis: Direction | None = note("revolute: axis, world direction at the start", None)
    axes: tuple[Direction, Direction] | None = note(
        "revolute: the axis in each body frame, instead of axis; universal: one on each body, kept perpendicular",
        None,
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.points is None) == (self.at is None):
            raise fault(
                "needs either points (in the two body frames) or at (world point at the start), and only one of them"
            )
        if self.bodies[0] == self.bodies[1]:
            raise fault("must be two different bodies", at="bodies")
        self._check_axes()
        return self

    def _check_axes(self) -> None:
        if self.axis is not None and self.axes is not None:
            raise fault("give axis or axes, not both", at="axis")
        if self.axis is not None and self.kind != "revolute":
            raise fault(f"is for revolute closures, not for {self.kind}", at="axis")
        if self.axes is not None and self.kind not in ("revolute", "universal"):
            raise fault(f"is for revolute and universal closures, not for {self.kind}", at="axes")
        if self.kind == "revolute" and self.axis is None and self.axes is None:
            raise fault("a revolute closure needs axis (world, at the start) or axes (in the two body frames)")
        if self.kind == "universal" and self.axes is None:
            raise fault("a universal closure needs axes, one on each body")

    def size(self) -> int:
        """Return the number of constraint rows."""
        return CLOSURE_SIZES[self.kind]
