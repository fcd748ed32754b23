"""Start of a cable: data that the builders of all kinds of cables need."""

from typing import NamedTuple

import numpy as np

from taut.scenario.cables.ways import Laid


class Begin(NamedTuple):
    """Node and point of the exit, vector from there to the anchor in the world [m], unstrained length [m]."""

    node: int
    point: tuple[float, float, float]
    chord: np.ndarray
    length: float
    laid: Laid | None = None  # path of the cable over its guides; None without guides
