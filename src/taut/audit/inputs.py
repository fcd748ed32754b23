"""Whether the steps resolve the inputs: a fixed step may be too long and skip features of them."""

from typing import Any

import numpy as np

from taut.model import Model

# largest step allowed, in multiples of the length on which a cubic fits the inputs; adaptive methods stay below 1
LIMIT = 4.0


def input_line(model: Model, arrays: dict[str, np.ndarray]) -> dict[str, Any] | None:
    """The step that was longest against what the inputs allow at its time (``build/freeze/paces.py``)."""
    paces = model.tables.paces
    if not np.isfinite(paces["longest"]).any() or not len(arrays.get("step_size", ())):
        return None
    size, end = arrays["step_size"], arrays["step_time"]
    worst, time, longest = 0.0, float(end[0]), None
    nexts = np.append(paces["start"][1:], np.inf)
    for start, following, allowed in zip(paces["start"], nexts, paces["longest"], strict=True):
        if not np.isfinite(allowed):
            continue
        # steps that overlap the region, and their length from its start on
        inside = slice(np.searchsorted(end, start, side="right"), np.searchsorted(end - size, following))
        reach = end[inside] - np.maximum(end[inside] - size[inside], start)
        if len(reach) and reach.max() > worst * allowed:
            k = int(np.argmax(reach))
            worst, time, longest = float(reach[k] / allowed), float(end[inside][k]), float(allowed)
    line = {"max": worst, "time": time, "longest": longest, "limit": LIMIT}
    if worst <= LIMIT:
        return {"verdict": "pass", **line}
    reason = (f"a step to t = {time:.6g} s is {worst:.3g} times as long as the inputs allow there ({longest:.3g} s): "
              f"it may have passed over what they do; set --step {longest:.2g} or less")  # fmt: skip
    return {"verdict": "fail", "reason": reason, **line}
