"""Events and warnings about the validity of runs of reduced machines."""

from typing import Any

import numpy as np

from taut.integrate.reduced.residual import beyond
from taut.integrate.reduced.trust import MESSAGE, first_outside
from taut.model import Model


def remarks(model: Model, arrays: dict[str, np.ndarray]) -> tuple[list[dict[str, Any]], list[str]]:
    """Events and warnings: where the machine left its training, and where its residual is unusual."""
    events: list[dict[str, Any]] = []
    warnings: list[str] = []
    outside = first_outside(arrays["time"], arrays["rom_trust"]) if "rom_trust" in arrays else None
    if outside is not None:
        events.append({"name": "rom", "time": outside, "what": MESSAGE.format(outside)})
        warnings.append(MESSAGE.format(outside))
    if "rom_residual" in arrays:
        said = beyond(arrays["time"], arrays["rom_residual"], model.usual_residual)
        warnings += [said] if said else []
    return events, warnings


def range_channels(kept: list[dict[str, np.ndarray]]) -> list[str]:
    """Channels of a reduced model's range, where the run has them.

    Such a run makes all channels at once: after every call it may be asked whether the model has left its training.
    """
    return [name for name in ("rom_trust", "rom_residual") if kept and name in kept[0]]
