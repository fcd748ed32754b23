"""What fails during a run, and when."""

from typing import Literal, Self

from pydantic import Field, model_validator

from taut.scenario.base import Fraction, Name, Positive, Record, fault, note, quantity


class Failure(Record):
    """Something fails, breaks, brakes or lets go: at a time, or when an event passes. The run goes on without it."""

    name: Name = note("name of the failure in results and messages")
    at: Positive | None = quantity("time", "s", None)
    when: Name | None = note("name of an event, instead of a time", None)
    kind: Literal["cut", "loss", "release", "brake", "brake-loss"] = note(
        "cut: a cable parts, at its anchor or at place; loss: a driver, or one of a quadcopter's rotors, stops; "
        "release: a closure opens; brake: a drum's brake closes; brake-loss: it lets go"
    )
    target: str = Field(description="cable, driver, rotor (`Q1 rotor 2`), closure or winch that it strikes")
    place: Fraction = note(
        "where a cable is cut, as a share of its length at the start: 0 at its exit, 1 at its anchor; one of elements "
        "parts at the nearest joint between two of them, or at its anchor",
        1.0,
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.at is None) == (self.when is None):
            raise fault("needs either at (a time) or when (an event), and only one of them")
        if self.kind != "cut" and "place" in self.model_fields_set:
            raise fault("goes with kind: cut only", at="place")
        return self
