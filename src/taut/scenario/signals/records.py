"""Signals as the user writes them: numbers, expressions of t, names of other signals, and the kinds below.

Outside its time span every signal holds its end value. `curves` turns these records into something to evaluate.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from taut.scenario.base import Name, NonNegative, Number, Positive, Record, Vec3, fault, note, quantity
from taut.scenario.cables.guide import Guide
from taut.scenario.cables.pulley import Pulley
from taut.scenario.control.command import SignalCommand

Blend = Literal["cubic", "quintic", "linear"]
LONGEST_TABLE = 50_000
Times = Annotated[tuple[Number, ...], Field(min_length=1, max_length=LONGEST_TABLE)]
Values = Annotated[tuple[Number, ...], Field(min_length=1, max_length=LONGEST_TABLE)]
Text = Annotated[str, Field(min_length=1, max_length=2000)]


def check_times(times: tuple[float, ...], at: str = "times") -> None:
    """Refuse times that do not strictly increase."""
    for before, after in zip(times, times[1:], strict=False):
        if after <= before:
            raise fault(f"must increase strictly, but {after:g} follows {before:g}", at=at)


def check_same_length(times: tuple[float, ...], values: tuple[Any, ...], at: str) -> None:
    """Refuse values that do not go with the times one by one."""
    if len(values) != len(times):
        raise fault(f"must have one entry per time: {len(times)} times, {len(values)} {at}", at=at)


class SignalConstant(Record):
    """A signal with the same value at all times."""

    kind: Literal["constant"] = "constant"
    value: Number = note("the value")


class SignalPolynomial(Record):
    """Piecewise polynomial: piece i, from `breaks[i]` on, is `sum_k coefficients[i][k] (t - breaks[i])^k`."""

    kind: Literal["polynomial"] = "polynomial"
    breaks: Annotated[Times, Field(min_length=2)] = quantity("limits of the pieces, increasing", "s")
    coefficients: Annotated[tuple[Annotated[Values, Field(max_length=16)], ...], Field(min_length=1)] = note(
        "one list per piece, lowest power first, at most 16 entries"
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_times(self.breaks, "breaks")
        if len(self.coefficients) != len(self.breaks) - 1:
            raise fault(
                f"must have {len(self.breaks) - 1} lists, one per piece, not {len(self.coefficients)}",
                at="coefficients",
            )
        return self


class SignalWaypoints(Record):
    """Values at given times; cubic and quintic go from rest to rest on each segment."""

    kind: Literal["waypoints"] = "waypoints"
    times: Times = quantity("times, increasing", "s")
    values: Values = note("one value per time")
    blend: Blend = note("how to go from one value to the next", "cubic")

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_times(self.times)
        check_same_length(self.times, self.values, "values")
        return self


class SignalSine(Record):
    """offset + amplitude sin(omega t + phase) between start and end; outside it holds the value at start or end."""

    kind: Literal["sine"] = "sine"
    amplitude: Number = note("amplitude, in the unit of the signal")
    frequency: Positive | None = quantity("frequency; or give omega", "Hz", None)
    omega: Positive | None = quantity("angular frequency; or give frequency", "rad/s", None)
    phase: Number = quantity("phase at t = 0", "rad", 0.0)
    offset: Number = note("mean value, in the unit of the signal", 0.0)
    start: Number | None = quantity("hold the value before this time; none: no limit", "s", None)
    end: Number | None = quantity("hold the value after this time; none: no limit", "s", None)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.frequency is None) == (self.omega is None):
            raise fault("needs either frequency [Hz] or omega [rad/s], and only one of them")
        check_span(self.start, self.end)
        return self


class SignalExpression(Record):
    """An expression of the time t and of other signals, for example `0.1*sin(2*pi*t)*step(t - 1)`."""

    kind: Literal["expression"] = "expression"
    expression: Text = note("expression of t and of named signals")
    start: Number | None = quantity("hold the value before this time; none: no limit", "s", None)
    end: Number | None = quantity("hold the value after this time; none: no limit", "s", None)

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_span(self.start, self.end)
        return self


class SignalTable(Record):
    """Values from a CSV file or given in place; a file is read with the scenario, which then stands on its own."""

    kind: Literal["table"] = "table"
    file: Text | None = note("CSV file, path from the folder of the scenario file", None)
    column: int | str | None = note("column of the values, by name or number from 0; default 1", None)
    time_column: int | str | None = note("column of the times, by name or number from 0; default 0", None)
    times: Annotated[tuple[Number, ...], Field(max_length=LONGEST_TABLE)] = quantity(
        "times, increasing, instead of a file", "s", ()
    )
    values: Annotated[tuple[Number, ...], Field(max_length=LONGEST_TABLE)] = note(
        "one value per time, instead of a file", ()
    )
    spline: Literal["cubic", "linear"] = note("interpolation: not-a-knot cubic spline or straight lines", "cubic")

    @model_validator(mode="before")
    @classmethod
    def _read_file(cls, data: Any, info: Any) -> Any:
        if not isinstance(data, Mapping) or not {"file", "column", "time_column"} & set(data):
            return data
        from taut.scenario.io.tables import read_table

        return read_table(data, info.context or {})

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len(self.times) < 2:
            raise fault("needs a file, or times and values with at least two entries")
        check_times(self.times)
        check_same_length(self.times, self.values, "values")
        return self


class SignalSum(Record):
    """The sum of other signals."""

    kind: Literal["sum"] = "sum"
    terms: Annotated[tuple["Signal", ...], Field(min_length=1, max_length=100)] = note("signals to add")


class SignalShaped(Record):
    """A signal convolved with impulses that leave given swings at rest: zv, or zvd, which is less sensitive."""

    kind: Literal["shaped"] = "shaped"
    signal: "Signal" = note("signal that is shaped: not an expression, and not a command")
    shaper: Literal["zv", "zvd"] = note("zv: shortest; zvd: less sensitive to the frequency", "zvd")
    omega: Annotated[tuple[Positive, ...], Field(min_length=1, max_length=8)] = quantity("swings", "rad/s")
    damping: Annotated[NonNegative, Field(lt=1)] = note("damping ratio of the swings", 0.0)


class SignalRopeLength(Record):
    """By how much a rope from an exit to a body has become longer since t = 0, while the body is led along a path."""

    kind: Literal["rope-length"] = "rope-length"
    exit: Vec3 = quantity("where the rope begins, world", "m")
    anchor: Vec3 = quantity("where it is fastened, in the frame of the body", "m")
    pulley: Pulley | None = note("at the exit; none: a point", None)
    via: tuple[Guide, ...] = note("guides from the exit to the anchor, in the world or on the body", ())
    body: Name = note("name of the body, by which guides on it are known", "platform")
    path: tuple["Signal", "Signal", "Signal"] = quantity("position of the body's origin, world", "m")
    turn: tuple["Signal", "Signal", "Signal"] | None = quantity(
        "its rotation vector; none: it is not turned", "rad", None
    )
    scale: Number = note("factor; 1/radius gives the angle of a drum", 1.0)

    @model_validator(mode="after")
    def _check(self) -> Self:
        for k, guide in enumerate(self.via):
            if guide.body not in ("world", self.body):
                raise fault(f"is neither the world nor {self.body}, the body that is led", at=f"via[{k}].body")
        return self


def check_span(start: float | None, end: float | None) -> None:
    """Refuse an end that does not come after the start."""
    if start is not None and end is not None and end <= start:
        raise fault(f"must be later than start = {start:g}", at="end")


def _signal_tag(value: Any) -> str | None:
    if isinstance(value, str):
        return "text"
    if isinstance(value, Mapping):
        return value.get("kind", "missing kind")
    return getattr(value, "kind", "number")


def _signal_number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise fault("must be a number, an expression of t, the name of a signal, or a mapping with kind")
    return value


Signal = Annotated[
    Annotated[Number, BeforeValidator(_signal_number), Tag("number")]
    | Annotated[Text, Tag("text")]
    | Annotated[SignalConstant, Tag("constant")]
    | Annotated[SignalPolynomial, Tag("polynomial")]
    | Annotated[SignalWaypoints, Tag("waypoints")]
    | Annotated[SignalSine, Tag("sine")]
    | Annotated[SignalExpression, Tag("expression")]
    | Annotated[SignalTable, Tag("table")]
    | Annotated[SignalSum, Tag("sum")]
    | Annotated[SignalShaped, Tag("shaped")]
    | Annotated[SignalRopeLength, Tag("rope-length")]
    | Annotated[SignalCommand, Tag("command")],
    Discriminator(_signal_tag),
]
SignalSum.model_rebuild()
SignalShaped.model_rebuild()
SignalRopeLength.model_rebuild()
