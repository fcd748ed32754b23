"""Triangles into pixels with a depth buffer, compiled: exact hidden surfaces at film speed on one core.

The inverse depth is linear on the screen for a flat triangle, so it is what the buffer holds: nearer is larger.
"""

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def fill(corners: np.ndarray, colours: np.ndarray, image: np.ndarray, nearness: np.ndarray) -> None:
    """Draw triangles over a picture.

    Args:
        corners: Across [pixels], down [pixels] and inverse depth [1/m] of the corners, shape [n, 3, 3].
        colours: Red, green, blue of each triangle in bytes, shape [n, 3].
        image: The picture in bytes, shape [height, width, 3].
        nearness: Inverse depth of what it shows [1/m], shape [height, width].
    """
    height, width = nearness.shape
    for k in range(len(corners)):
        x0, y0, w0 = corners[k, 0]
        x1, y1, w1 = corners[k, 1]
        x2, y2, w2 = corners[k, 2]
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if not abs(area) > 1e-9:
            continue
        left = max(int(np.floor(min(x0, x1, x2))), 0)
        right = min(int(np.ceil(max(x0, x1, x2))), width - 1)
        top = max(int(np.floor(min(y0, y1, y2))), 0)
        bottom = min(int(np.ceil(max(y0, y1, y2))), height - 1)
        red, green, blue = colours[k]
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                x, y = column + 0.5, row + 0.5
                # barycentric coordinates of the pixel in the triangle, as ratios of areas
                b0 = ((x1 - x) * (y2 - y) - (x2 - x) * (y1 - y)) / area
                b1 = ((x2 - x) * (y0 - y) - (x0 - x) * (y2 - y)) / area
                b2 = 1.0 - b0 - b1
                if b0 < 0.0 or b1 < 0.0 or b2 < 0.0:
                    continue
                w = b0 * w0 + b1 * w1 + b2 * w2
                if w > nearness[row, column]:
                    nearness[row, column] = w
                    image[row, column, 0] = red
                    image[row, column, 1] = green
                    image[row, column, 2] = blue


@numba.njit(cache=True, nogil=True)
def halve(image: np.ndarray, out: np.ndarray) -> None:
    """Average blocks of two by two pixels; small integers and whole rows let the machine do many at once."""
    height, width, _ = out.shape
    for row in range(height):
        upper, lower, to = image[2 * row].ravel(), image[2 * row + 1].ravel(), out[row].ravel()
        for column in range(width):
            for c in range(3):
                k = 6 * column + c
                total = np.uint16(upper[k]) + np.uint16(upper[k + 3]) + np.uint16(lower[k]) + np.uint16(lower[k + 3])
                to[3 * column + c] = (total + np.uint16(2)) >> np.uint16(2)


@numba.njit(cache=True, nogil=True)
def shrink(image: np.ndarray, by: int, out: np.ndarray) -> None:
    """Average blocks of pixels, which smooths edges."""
    if by == 2:
        halve(image, out)
        return
    height, width, _ = out.shape
    half, count = by * by // 2, by * by
    for row in range(height):
        for column in range(width):
            for c in range(3):
                total = half
                for i in range(by):
                    for j in range(by):
                        total += image[row * by + i, column * by + j, c]
                out[row, column, c] = total // count
