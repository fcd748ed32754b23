"""The safe working zone of a manipulator: condition numbers over a plane of poses, and where it may work."""

from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from taut.results.errors import from_os_error
from taut.views.plots.style import COLOURS, LIMIT_COLOUR, SETTINGS

OUTLINES = (("is_in_range", LIMIT_COLOUR, 3.0), ("is_safe", COLOURS[1], 1.4))
KINDS = {"gain": "gain type: the platform moves with the actuators held", "loss": "loss type: an actuator moves alone"}


def draw_zone(field: xr.Dataset, path: Path) -> None:
    """Write the picture of a scan; the suffix of the path says the format."""
    import matplotlib
    from matplotlib.colors import LogNorm
    from matplotlib.figure import Figure

    across, up = (str(name) for name in field["condition_gain"].dims)
    x, z = field[across].values, field[up].values
    with matplotlib.rc_context({**SETTINGS, "axes.grid": False}):
        figure = Figure(figsize=(8.4, 3.9), layout="constrained")
        figure.suptitle(f"Safe working zone: {field.attrs['title']}")
        axes = figure.subplots(1, 2, sharex=True, sharey=True)
        for axis, (kind, title) in zip(axes, KINDS.items(), strict=True):
            values = field[f"condition_{kind}"].values.T
            norm = LogNorm(1.0, max(10.0, float(field.attrs["limit"])))
            image = axis.pcolormesh(x, z, values, norm=norm, cmap="viridis_r", shading="nearest", rasterized=True)
            for name, colour, width in OUTLINES:
                _outline(axis, x, z, field[name].values.T, (colour, width))
            axis.plot(
                field.attrs[f"start_{across[-1]}"], field.attrs[f"start_{up[-1]}"], "+", color="black", markersize=9
            )
            axis.set_title(title)
            axis.set_xlabel(f"{across[-1]} [m]")
            axis.set_aspect("equal")
        axes[0].set_ylabel(f"{up[-1]} [m]")
        figure.colorbar(image, ax=axes, label="condition number", shrink=0.85)
        try:
            figure.savefig(path)
        except OSError as error:
            raise from_os_error(path, error, "cannot be written") from error


def _outline(axis: Any, x: np.ndarray, z: np.ndarray, inside: np.ndarray, look: tuple[str, float]) -> None:
    if inside.any() and not inside.all():
        axis.contour(x, z, inside.astype(float), levels=[0.5], colors=[look[0]], linewidths=look[1])
