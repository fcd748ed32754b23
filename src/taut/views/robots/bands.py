"""Bands of a margin: round levels, one colour between two of them, and triangles cut along them.

Slices, pictures and the browser's view use the same bands, so that one legend serves all.
"""

import numpy as np

from taut.views.film.picture import round_step

BANDS = 6  # least number of bands of a colour scale; it has at most 15
# matplotlib's colour map viridis, from dark violet to yellow
SHADES = np.array([[68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137],
                   [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37]]) / 255.0  # fmt: skip


def largest_margin(margin: np.ndarray, inside: np.ndarray) -> float:
    """The largest finite margin of what is inside; zero if there is none."""
    return float(np.max(np.where(inside & np.isfinite(margin), margin, 0.0), initial=0.0))


def band_levels(top: float) -> np.ndarray:
    """Edges of the bands from zero to a round number that is not less than the largest margin."""
    if not (np.isfinite(top) and top > 0.0):
        return np.array([0.0, 1.0])
    step = round_step(top / BANDS)
    return step * np.arange(int(np.ceil(top / step - 1e-9)) + 1)


def band_colours(levels: np.ndarray) -> np.ndarray:
    """Red, green, blue from 0 to 1 of every band, shape [n_bands, 3]."""
    places = (np.arange(len(levels) - 1) + 0.5) / (len(levels) - 1)
    known = np.linspace(0.0, 1.0, len(SHADES))
    return np.stack([np.interp(places, known, SHADES[:, k]) for k in range(3)], axis=-1)


def band_of(values: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Number of the band in which values are; beyond the ends the first and the last."""
    return np.clip(np.searchsorted(levels, values, side="right") - 1, 0, len(levels) - 2)


def cut_bands(corners: np.ndarray, values: np.ndarray, levels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Triangles [n, 3, 3] with values at their corners [n, 3], cut along the levels; and the band of each piece."""
    for level in levels[1:-1]:
        is_cut = (values.min(axis=1) < level) & (values.max(axis=1) > level)
        pieces = [cut_at(corners[is_cut], values[is_cut], level), (corners[~is_cut], values[~is_cut])]
        corners, values = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    return corners, band_of(values.mean(axis=1), levels)


def cut_at(corners: np.ndarray, values: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Triangles across a level as three each: one at the corner that is alone on its side, two on the other."""
    above = values > level
    is_upper = above.sum(axis=1) == 1
    alone = np.argmax(above == is_upper[:, None], axis=1)
    # rotate the corners of each triangle, which keeps its orientation, until the corner alone on its side is the first
    order = (alone[:, None] + np.arange(3)) % 3
    a, b, c = np.moveaxis(np.take_along_axis(corners, order[..., None], axis=1), 1, 0)
    u, v, w = np.moveaxis(np.take_along_axis(values, order, axis=1), 1, 0)
    ab = a + ((level - u) / (v - u))[:, None] * (b - a)
    ac = a + ((level - u) / (w - u))[:, None] * (c - a)
    at = np.full(len(u), level)
    parts = [(a, ab, ac, u, at, at), (ab, b, c, at, v, w), (ab, c, ac, at, w, at)]
    return (np.concatenate([np.stack(part[:3], axis=1) for part in parts]),
            np.concatenate([np.stack(part[3:], axis=1) for part in parts]))  # fmt: skip
