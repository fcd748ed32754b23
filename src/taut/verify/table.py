"""The answer of a case as a table for a terminal."""

from collections.abc import Iterator
from typing import Any

from taut.verify.cases import CASES


def table_lines(name: str, quantities: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of one case: mark, quantity, value, expected, tolerance, source."""
    passed = sum(quantity["pass"] for quantity in quantities.values())
    yield f"{name}: {passed} of {len(quantities)} pass; {CASES[name].title}"
    rows = [_cells(what, quantity) for what, quantity in quantities.items()]
    heads = ("", "quantity", "value", "expected", "tolerance", "unit")
    widths = [max(len(row[k]) for row in (heads, *rows)) for k in range(len(heads))]
    for row in ((*heads, "source"), *rows):
        yield (
            "  " + "  ".join([*(f"{cell:{width}}" for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        )


def _cells(what: str, quantity: dict[str, Any]) -> tuple[str, ...]:
    unit = "" if quantity["unit"] == "1" else quantity["unit"]
    return (
        "ok" if quantity["pass"] else "FAIL",
        what,
        _show(quantity["value"], quantity["tolerance"]),
        f"{quantity['expected']:.10g}",
        f"{quantity['tolerance']:.2g}",
        unit,
        quantity["source"],
    )


def _show(value: float | None, tolerance: float) -> str:
    if value is None:
        return "not finite"
    # a value within its tolerance of zero needs no more digits
    return f"{value:.2g}" if abs(value) <= tolerance else f"{value:.10g}"
