"""Texts of a run: names in its result, reason of its end."""

from typing import Any

from taut.integrate.run.lengths import is_swivel_lost, jammed_span, lost_guide, shortest_cable, straight_rope
from taut.integrate.status import (
    AT_GUIDE,
    CHATTER,
    NOT_FINITE,
    OFF_SHEAVE,
    OUT_OF_ROPE,
    STEP_TOO_SMALL,
    STRAIGHT,
    TEXTS,
)
from taut.integrate.step.method import Method
from taut.model import Model
from taut.model.remembered import remembered

# end states of a run that may be caused by a rope hauled into its guide
UNCLEAR = (STEP_TOO_SMALL, NOT_FINITE, CHATTER)


def result_names(model: Model) -> dict[str, Any]:
    """Names along the dimensions of a result."""
    return dict(remembered(model, "result names", found_names))


def found_names(model: Model) -> dict[str, Any]:
    """Collect the names along the dimensions of a result from those of the model."""
    names = model.names
    return {"body": list(names.bodies), "cable": list(names.cables), "closure": list(names.closures),
            "row": list(names.rows), "column": list(names.columns), "coordinate": list(model.coordinate_names),
            "drive": list(names.drives), "guide": list(names.guides), "span": list(names.spans)}  # fmt: skip


def ending(code: int, model: Model, method: Method) -> tuple[str, str]:
    """Status of a run that could not go on, and where and why it ended, with a remedy."""
    jam = jammed_span(model, method.state()) if code in UNCLEAR else None
    code = AT_GUIDE if jam is not None else code
    if code in UNCLEAR and is_swivel_lost(model, method.state()):
        code = OFF_SHEAVE
    straight = straight_rope(model, method.state()) if code in UNCLEAR else None
    code, jam = (STRAIGHT, straight) if straight is not None else (code, jam)
    word, remedy = TEXTS[code]
    found = {OUT_OF_ROPE: shortest_cable, OFF_SHEAVE: lost_guide}
    what = f"{found[code](model, method.state())}: " if code in found else f"{jam}: " if jam is not None else ""
    return word, f"at t = {method.time:.9g} s: {what}{remedy}"
