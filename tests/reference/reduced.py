"""Shapes of reduced cables written down slowly."""

import numpy as np


def directions_of(shapes, fields):
    """Directions t of the elements in the base's axes [..., element, 3], from their angles alpha and beta."""
    alpha = fields[..., 0, :]
    x, z = np.sin(alpha)[..., None], np.cos(alpha)[..., None]
    if not shapes.is_spatial:
        return x * shapes.frame[:, 0] + z * shapes.frame[:, 2]
    y, c = np.sin(fields[..., 1, :])[..., None], np.cos(fields[..., 1, :])[..., None]
    return c * (x * shapes.frame[:, 0] + z * shapes.frame[:, 2]) + y * shapes.frame[:, 1]
