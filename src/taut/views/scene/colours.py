"""Colours by tension: blue is low, orange is high; slack elements are magenta, which occurs nowhere else."""

from typing import NamedTuple

import numpy as np

RAMP = np.array([[45, 75, 160], [50, 130, 190], [90, 175, 150], [205, 190, 80], [240, 150, 35], [200, 85, 15]]) / 255.0
SLACK = np.array([225, 0, 140]) / 255.0

PLATFORM = np.array([226, 136, 62]) / 255.0
BODY = np.array([124, 140, 158]) / 255.0
FIXTURE = np.array([84, 92, 104]) / 255.0
FORCE = np.array([20, 130, 60]) / 255.0
TRACE = np.array([70, 110, 190]) / 255.0


class Theme(NamedTuple):
    """Colours of what lies behind the machine."""

    background: tuple[float, float, float]
    ground: tuple[float, float, float]
    line: tuple[float, float, float]
    text: tuple[float, float, float]


LIGHT = Theme((1.0, 1.0, 1.0), (0.94, 0.945, 0.95), (0.82, 0.835, 0.85), (0.15, 0.16, 0.18))
DARK = Theme((0.1, 0.11, 0.13), (0.145, 0.155, 0.175), (0.25, 0.265, 0.29), (0.9, 0.91, 0.92))
THEMES = {"light": LIGHT, "dark": DARK}


def tension_colours(tension: np.ndarray, is_slack: np.ndarray, limits: tuple[float, float]) -> np.ndarray:
    """Red, green, blue from 0 to 1 for tensions [N] within limits, shape [..., 3]."""
    low, high = limits
    share = np.clip((np.nan_to_num(tension) - low) / max(high - low, 1e-12), 0.0, 1.0)
    places = np.linspace(0.0, 1.0, len(RAMP))
    colours = np.stack([np.interp(share, places, RAMP[:, k]) for k in range(3)], axis=-1)
    return np.where(np.asarray(is_slack, bool)[..., None], SLACK, colours)


def force_text(newtons: float) -> str:
    """A force in few digits and without powers of ten: 0.71 N, 4410 N, 522 kN."""
    size = abs(newtons)
    if size >= 1e6:
        return f"{newtons / 1e6:.3g} MN" if size < 1e9 else f"{newtons:.3g} N"
    if size >= 1e4:
        return f"{newtons / 1e3:.0f} kN" if size >= 1e5 else f"{newtons / 1e3:.1f} kN"
    return f"{newtons:.0f} N" if size >= 1e3 else f"{newtons:.3g} N"
