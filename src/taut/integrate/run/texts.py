"""Texts of a run: notice of compilation, names in its result, reason of its end."""

import sys
from typing import Any

from taut.integrate.run.lengths import lost_guide, shortest_cable
from taut.integrate.status import OFF_SHEAVE, OUT_OF_ROPE, TEXTS
from taut.integrate.step.method import Method
from taut.model import Model

COMPILING = "compiling {} for these kinds of cables (once, about a minute) ..."


def say_compiling(model: Model, integrator: str) -> None:
    """Tell on stderr that the first run by a method, with the model's kinds of cables, takes longer."""
    from taut.integrate.run.compiled import is_engine_compiled

    if not is_engine_compiled(model, integrator):
        print(COMPILING.format(integrator), file=sys.stderr, flush=True)


def result_names(model: Model) -> dict[str, Any]:
    """Names along the dimensions of a result."""
    names = model.names
    return {"body": list(names.bodies), "cable": list(names.cables), "closure": list(names.closures),
            "row": list(names.rows), "column": list(names.columns), "coordinate": list(model.coordinate_names),
            "drive": list(names.drives), "guide": list(names.guides), "span": list(names.spans)}  # fmt: skip


def ending(code: int, model: Model, method: Method) -> tuple[str, str]:
    """Status of a run that could not go on, and where and why it ended, with a remedy."""
    word, remedy = TEXTS[code]
    found = {OUT_OF_ROPE: shortest_cable, OFF_SHEAVE: lost_guide}
    what = f"{found[code](model, method.state())}: " if code in found else ""
    return word, f"at t = {method.time:.9g} s: {what}{remedy}"
