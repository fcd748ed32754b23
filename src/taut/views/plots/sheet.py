"""Content of figures, independent of how they are drawn: sheets of panels of curves."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import xarray as xr

from taut.results.result import Result

TIME = "time [s]"
MOST_BODIES = 6


@dataclass(frozen=True)
class Curve:
    """One line of a panel."""

    label: str
    x: np.ndarray
    y: np.ndarray
    kind: Literal["line", "steps", "points"] = "line"  # "steps" is constant up to each x, with a mark there


@dataclass(frozen=True)
class Panel:
    """One pair of axes; time is across."""

    label: str  # quantity and unit, along the vertical axis
    curves: Sequence[Curve]
    is_logarithmic: bool = False
    limit: float | None = None  # threshold that is drawn as a line across the panel
    is_integer: bool = False  # whether the vertical axis has whole numbers only
    smallest_span: float = 0.0  # least span of the vertical axis, so that rounding does not look like motion


@dataclass(frozen=True)
class Sheet:
    """One figure: panels below each other, and the name of its file."""

    name: str
    title: str
    panels: Sequence[Panel] = field(default_factory=list)


def curves_of(array: xr.DataArray, dim: str, labels: Sequence[str] | None = None) -> list[Curve]:
    """A curve for each entry along ``dim`` of an array over time and that dimension."""
    values, time = array.transpose("time", dim).values, array["time"].values
    names = labels if labels is not None else [str(name) for name in array[dim].values]
    return [Curve(name, time, values[:, k]) for k, name in enumerate(names)]


def curve_of(array: xr.DataArray, label: str) -> Curve:
    """The curve of an array over time."""
    return Curve(label, array["time"].values, array.values)


def all_bodies(result: Result) -> list[str]:
    """Names of all bodies."""
    return [str(name) for name in result.dataset["body"].values] if "body" in result else []


def bodies_of(result: Result) -> list[str]:
    """Bodies to draw: the platform, or the first few if there is none of that name."""
    bodies = all_bodies(result)
    return ["platform"] if "platform" in bodies else bodies[:MOST_BODIES]


def name_of(group: str, body: str) -> str:
    """File name of a body's figure: the group, with the name of the body unless that is the platform."""
    return group if body == "platform" else f"{group}-{body}"
