"""A large result without a long run: sixty cables for ten minutes at 100 Hz, stored as `taut run` stores."""

from pathlib import Path

import numpy as np

CABLES, ELEMENTS, SAMPLES, STEP = 60, 5, 60_000, 0.01
BLOCK = 2_000  # samples that are computed and written at once
WIDTH, DROP = 10.0, 8.0  # width and height of the machine [m]
SCENARIO = f"platform: {{mass: 1, box: [{WIDTH}, 1, 1]}}"
DIMS = {"body": 1, "cable": CABLES, "node": ELEMENTS + 1, "element": ELEMENTS, "xyz": 3, "wxyz": 4}
CHANNELS = {
    "body_position": ("time", "body", "xyz"),
    "body_quaternion": ("time", "body", "wxyz"),
    "cable_nodes": ("time", "cable", "node", "xyz"),
    "cable_tension": ("time", "cable", "element"),
    "cable_slack": ("time", "cable", "element"),
    "cable_tension_exit": ("time", "cable"),
    "cable_tension_anchor": ("time", "cable"),
    "anchor_force": ("time", "cable", "xyz"),
}


def write_large(path: Path, samples: int = SAMPLES) -> None:
    """Write a platform that sways under its cables; every number differs from the next."""
    import h5netcdf

    from taut.results.netcdf import CHUNK
    from taut.results.record import FORMAT, FORMAT_VERSION

    with h5netcdf.File(path, "w") as file:
        file.dimensions = {"time": samples, **DIMS}
        file.attrs["format"], file.attrs["format_version"] = FORMAT, FORMAT_VERSION
        file.attrs["title"], file.attrs["scenario"] = "sixty cables for ten minutes", SCENARIO
        for name, values in (("body", ["platform"]), ("cable", [f"C{k + 1}" for k in range(CABLES)])):
            file.create_variable(name, (name,), data=np.array(values, dtype="S8"))
        file.create_variable("time", ("time",), data=np.arange(samples) * STEP)
        made = {}
        for name, dims in CHANNELS.items():
            shape = tuple(DIMS[dim] for dim in dims[1:])
            kind = "i1" if name == "cable_slack" else "f8"
            rows = max(1, min(samples, CHUNK // (np.dtype(kind).itemsize * int(np.prod(shape)))))
            made[name] = file.create_variable(
                name, dims, dtype=kind, chunks=(rows, *shape), compression="gzip", compression_opts=1, shuffle=True
            )
        for first in range(0, samples, BLOCK):
            rows = slice(first, min(first + BLOCK, samples))
            for name, values in moments(np.arange(rows.start, rows.stop) * STEP).items():
                made[name][rows] = values


def moments(time: np.ndarray) -> dict[str, np.ndarray]:
    """All channels at some times [s]."""
    count = len(time)
    sway = np.stack([0.5 * np.sin(0.7 * time), 0.3 * np.sin(0.9 * time), 0.2 * np.sin(1.3 * time)], axis=1)
    across = np.linspace(-0.5, 0.5, CABLES) * WIDTH
    top = np.stack([across, 0 * across, np.full(CABLES, DROP)], axis=1)
    bottom = np.stack([across, 0 * across, 0 * across], axis=1) + sway[:, None]
    share = np.linspace(0.0, 1.0, ELEMENTS + 1)[:, None]
    nodes = (1.0 - share) * top[:, None] + share * bottom[:, :, None]
    pull = 10.0 + np.sin(time[:, None] + np.arange(CABLES)) + 0.2 * np.sin(11.0 * time)[:, None]
    tension = pull[..., None] + 0.1 * np.arange(ELEMENTS)
    along = (top - bottom) / np.linalg.norm(top - bottom, axis=-1, keepdims=True)
    return {
        "body_position": sway[:, None],
        "body_quaternion": np.tile([1.0, 0.0, 0.0, 0.0], (count, 1, 1)),
        "cable_nodes": nodes,
        "cable_tension": tension,
        "cable_slack": np.zeros((count, CABLES, ELEMENTS), np.int8),
        "cable_tension_exit": tension[..., 0],
        "cable_tension_anchor": tension[..., -1],
        "anchor_force": -pull[..., None] * along,
    }
