"""Warnings of a run about loads: cables near their breaking load, and tensions outside of their limits."""

import numpy as np

from taut.integrate.samples.routes import overloaded
from taut.model import Model

ROUNDING = 1e-6  # tensions outside of a limit by less than this share of it count as on it


def load_warnings(model: Model, arrays: dict[str, np.ndarray]) -> list[str]:
    """Warnings of overloaded cables, and of cables whose tension left ``tension_limits``."""
    return [*overloaded(model, arrays), *beyond_limits(model, arrays)]


def beyond_limits(model: Model, arrays: dict[str, np.ndarray]) -> list[str]:
    """Which cable left its limits of tension, how far, when, and in how many samples; a cut cable has none."""
    limits = model.plan.tension_limits if model.plan is not None else {}
    if not limits or "cable_tension" not in arrays:
        return []
    said, time = [], arrays["time"]
    for k, name in enumerate(model.names.cables):
        if name in limits:
            tension = arrays["cable_tension"][:, k].copy()
            if "cable_cut" in arrays:
                tension[arrays["cable_cut"][:, k]] = np.nan
            said += [f"{name}: {text}" for text in outside(tension, time, limits[name])]
    return said


def outside(tension: np.ndarray, time: np.ndarray, limits: tuple[float, float]) -> list[str]:
    """A sentence each for the lower and the upper limit, if the tensions [N], shape [time, element], leave it."""
    said = []
    for sign, limit, word in ((-1.0, limits[0], "below"), (1.0, limits[1], "above")):
        excess = np.where(np.isfinite(tension), sign * (tension - limit), -np.inf).max(axis=1, initial=-np.inf)
        is_beyond = excess > ROUNDING * max(limit, 1.0)
        if is_beyond.any():
            worst, beyond = int(np.argmax(excess)), np.flatnonzero(is_beyond)
            when = f"first at t = {time[beyond[0]]:.4g} s, in {len(beyond)} of {len(time)} samples"
            said.append(f"tension {limit + sign * excess[worst]:.4g} N at t = {time[worst]:.4g} s is {word} the "
                        f"{limit:g} N of its tension_limits by {excess[worst]:.3g} N ({when})")  # fmt: skip
    return said
