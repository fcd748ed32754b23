"""What all scenario records share: the frozen base record and the number and vector types.

Numbers are plain, finite and not larger than 1e30: a larger one is a slip, and products of such numbers overflow.
"""

import math
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictInt
from pydantic_core import PydanticCustomError

LARGEST = 1e30
SMALLEST = 1e-30


class Record(BaseModel):
    """Base of all scenario records: frozen, unknown keys refused, defaults checked like given values."""

    # validators are made when they are first used: those of all records together would be half of the time of imports
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)


def fault(message: str, *, at: str = "", remedy: str = "") -> PydanticCustomError:
    """Return an error for a validator to raise; `at` names the key at fault inside the record."""
    return PydanticCustomError("taut", "{message}", {"message": message, "at": at, "remedy": remedy})  # type: ignore[arg-type]


def quantity(description: str, unit: str, default: Any = ...) -> Any:
    """Return a field with a unit; the unit ends up in the description, in the schema and in error messages."""
    return Field(default, description=f"{description} [{unit}]", json_schema_extra={"unit": unit})


def note(description: str, default: Any = ...) -> Any:
    """Return a field without a unit."""
    return Field(default, description=description)


def _plain_number(value: Any) -> Any:
    """Let Python and numpy numbers through; refuse text, booleans and other objects."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise fault("must be a number", remedy=_number_remedy(value))
    if not _is_sane(value):
        raise fault(f"must be a finite number between -{LARGEST:g} and {LARGEST:g}")
    return float(value)


def _is_sane(value: Any) -> bool:
    # compare before converting: an integer that is too large has no float
    return abs(value) <= LARGEST and not math.isnan(float(value))


def _number_remedy(value: Any) -> str:
    return "write the number without quotes and without a unit" if isinstance(value, str) else ""


def _not_tiny(value: float) -> float:
    if value < SMALLEST:
        raise fault(f"must be at least {SMALLEST:g}")
    return value


_plain = BeforeValidator(_plain_number)
Number = Annotated[float, _plain]
Positive = Annotated[float, Field(gt=0), AfterValidator(_not_tiny), _plain]
NonNegative = Annotated[float, Field(ge=0), _plain]
Fraction = Annotated[float, Field(ge=0, le=1), _plain]
Count = Annotated[StrictInt, Field(ge=1, le=10_000)]
Flag = StrictBool
Name = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_][A-Za-z0-9_ \-]*$")]


def _vector(length: int, form: str) -> BeforeValidator:
    def check(value: Any) -> Any:
        value = value.tolist() if isinstance(value, np.ndarray) else value
        if isinstance(value, str | bytes) or not isinstance(value, Sequence) or len(value) != length:
            raise fault(f"must be a list of {length} entries {form}")
        return tuple(value)

    return BeforeValidator(check)


Vec3 = Annotated[tuple[Number, Number, Number], _vector(3, "[x, y, z]")]
Size3 = Annotated[tuple[Positive, Positive, Positive], _vector(3, "[x, y, z]")]
Limits = Annotated[tuple[Number, Number], _vector(2, "[lowest, highest]")]
Quaternion = Annotated[tuple[Number, Number, Number, Number], _vector(4, "[w, x, y, z]")]
Matrix3 = Annotated[tuple[Vec3, Vec3, Vec3], _vector(3, "[row, row, row]")]


def _not_zero(value: tuple[float, ...]) -> tuple[float, ...]:
    if max(abs(entry) for entry in value) < SMALLEST:
        raise fault("must not be zero: its direction is needed")
    return value


Direction = Annotated[Vec3, AfterValidator(_not_zero)]
