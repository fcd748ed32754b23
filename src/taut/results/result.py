"""Result: what a run found, by name and with units, in memory or on disk."""

import json
import warnings
from collections.abc import Iterator
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.results.errors import ResultError
from taut.results.store import open_dataset, save_dataset
from taut.results.variables import Content

if TYPE_CHECKING:
    import xarray as xr

SHORTEST_WORD = 4  # least number of letters of a word that is looked for inside of other names
MOST_GUESSES = 6
CABLE_WORDS = ("tension", "slack", "utilisation")  # words for channels that only machines with cables have
SEQUENCE_HELP = "three of the letters x, y, z, no letter twice in a row, for example xyz or zyz"


class Result:
    """A run's channels, its audit and the scenario it came from, on an ``xarray.Dataset``.

    ``result["cable_tension"].sel(cable="C1")`` is an array with time and units; ``result.dataset`` has everything.
    """

    def __init__(self, dataset: "xr.Dataset | Content", path: str | Path | None = None) -> None:
        """Take a dataset as ``assemble`` makes it, or its content, and the file it was read from, if any."""
        self._held = dataset
        self.path = Path(path) if path is not None else None

    @property
    def dataset(self) -> "xr.Dataset":
        """All variables and coordinates, as an ``xarray.Dataset``; made when it is first asked for."""
        if isinstance(self._held, Content):
            self._held = self._held.to_xarray()
        return self._held

    @dataset.setter
    def dataset(self, dataset: "xr.Dataset") -> None:
        self._held = dataset

    @property
    def _attrs(self) -> dict[Any, Any]:
        return self._held.attrs

    def __getitem__(self, name: str) -> "xr.DataArray":
        """Return one channel."""
        if name not in self.dataset.variables:
            raise KeyError(
                f"the result has no {name!r}; {_near(name, [str(known) for known in self.dataset.variables])}"
            )
        return self.dataset[name]

    def __contains__(self, name: object) -> bool:
        """Return whether the result has the channel."""
        return name in self.dataset.variables

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the channels."""
        return (str(name) for name in self.dataset.data_vars)

    def to_xarray(self) -> "xr.Dataset":
        """All variables as a dataset, as records of analyses give it; equal to ``dataset``."""
        return self.dataset

    @property
    def time(self) -> np.ndarray:
        """Times of the samples [s]."""
        return self._held.variables["time"].values

    @property
    def title(self) -> str:
        """The scenario's name."""
        return self._attrs.get("title", "")

    @property
    def status(self) -> str:
        """How the run ended: completed, stopped, interrupted, or what went wrong."""
        return self._attrs.get("status", "unknown")

    @property
    def status_text(self) -> str:
        """How the run ended, and the remedy if it failed."""
        return self._attrs.get("status_text", "")

    @property
    def scenario_text(self) -> str:
        """The scenario as YAML; it can be run again as it is."""
        return self._attrs.get("scenario", "")

    @property
    def audit(self) -> dict[str, Any]:
        """Findings of the audit as plain data; empty if there was none."""
        return json.loads(self._attrs.get("audit", "{}"))

    @property
    def ok(self) -> bool:
        """Whether the run came to its end and its audit passed: the numbers can be used."""
        return self.audit.get("verdict") == "pass"

    @property
    def events(self) -> list[dict[str, Any]]:
        """Events of the run in order: time [s], name and what happened."""
        return json.loads(self._attrs.get("events", "[]"))

    def euler(self, body: str = "platform", sequence: str = "xyz") -> "xr.DataArray":
        """Euler angles of a body [rad], each about the turned axes (intrinsic), continuous in time.

        Args:
            body: Name of the body.
            sequence: Three axes, for example ``xyz`` (R = Rx Ry Rz) or ``zyz``.
        """
        import xarray as xr

        if len(sequence) != 3 or set(sequence) - set("xyz") or sequence[0] == sequence[1] or sequence[1] == sequence[2]:
            raise ResultError("", f"sequence = {sequence!r}: must be {SEQUENCE_HELP}")
        angles = euler_angles(self._quaternion(body).values, sequence)
        names = list(sequence) if len(set(sequence)) == 3 else [f"{axis}{k}" for k, axis in enumerate(sequence, 1)]
        attrs = {"units": "rad", "long_name": f"Euler angles of {body}, {sequence}, intrinsic"}
        coords = {"time": self.dataset["time"], "angle": names}
        return xr.DataArray(angles, coords, ("time", "angle"), f"{body}_euler", attrs)

    def save(self, path: str | Path) -> Path:
        """Write a NetCDF file; a failure leaves no half-written file and raises a ``ResultError``."""
        saved = save_dataset(self._held, path)
        if self.path is None:
            self.path = saved
        return saved

    def close(self) -> None:
        """Close the file that the result reads from."""
        if not isinstance(self._held, Content):
            self._held.close()

    def __enter__(self) -> "Result":
        """Use the result in a `with` block; its file is closed at the end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def __repr__(self) -> str:
        """Text with a few lines about the content."""
        audit = self.audit
        lines = [f"<taut.Result {self.title!r}: {self.status}>", f"  {self._extent()}"]
        if audit:
            lines.append("  audit: " + "; ".join([audit["verdict"], *audit["reasons"]]))
        names = [name for name in self if not name.startswith("body_")]
        shown = ", ".join(names[:4])
        lines.append(f"  {len(self.dataset.data_vars)} variables: {shown}{', ...' if len(names) > 4 else ''}")
        return "\n".join([*lines, f"  file: {self.path}"] if self.path else lines)

    def view(self, **options: Any) -> Any:
        """Show the result in the browser; needs `taut[view]`.

        Args:
            options: ``port``, ``is_opened``, ``is_dark``, see ``taut.views.player.view_results``.

        Returns:
            The player; its ``close()`` ends the page.
        """
        return _view("player").view_results(self, **options)

    def _repr_html_(self) -> str:
        return _view("card").result_card(self)

    def _extent(self) -> str:
        sizes, time = self.dataset.sizes, self.time
        span = f", t = {time[0]:g} to {time[-1]:g} s" if len(time) else ""
        kinds = (("body", "body", "bodies"), ("cable", "cable", "cables"), ("step", "step", "steps"))
        counts = [f"{sizes[dim]} {one if sizes[dim] == 1 else many}" for dim, one, many in kinds if dim in sizes]
        return "; ".join([f"{len(time)} samples{span}", *counts])

    def _quaternion(self, body: str) -> "xr.DataArray":
        bodies = [str(name) for name in self.dataset["body"].values] if "body" in self.dataset else []
        if body not in bodies:
            raise ResultError("", f"the result has no body {body!r}", f"known: {', '.join(bodies) or 'none'}")
        return self["body_quaternion"].sel(body=body).transpose("time", "wxyz")


def _near(name: str, known: list[str]) -> str:
    """What may have been meant by a name that a result does not have."""
    # a word of a longer name, such as tension, is a better guess than names of similar spelling
    holding = [other for other in known if name.lower() in other] if len(name) >= SHORTEST_WORD else []
    close = holding or get_close_matches(name, known, n=3, cutoff=0.5)
    if ("cable" in name or name.lower() in CABLE_WORDS) and not any(other.startswith("cable_") for other in known):
        return "this machine has no cables (the links of a crane are rods: forces of ropes need `cables`)"
    return f"did you mean {', '.join(close[:MOST_GUESSES])}?" if close else "result.dataset lists what there is"


def _view(name: str) -> Any:
    """The package of views, imported by name on demand: results do not depend on it."""
    return import_module(f"taut.views.{name}")


def open_result(path: str | Path) -> Result:
    """Open a result; values are read from the file when they are used.

    The journal of a run that was interrupted, ``OUT.nc.journal``, opens as the part that is done.
    """
    from taut.results.journal import is_journal, journal_path

    if is_journal(path):
        from taut.results.finish import recover

        return recover(path)
    journal = journal_path(path)
    if not Path(path).exists() and is_journal(journal):
        remedy = f"`taut run ... --resume` continues it; {journal} opens as the part that is done"
        raise ResultError(path, "does not exist yet: its run was interrupted", remedy)
    return Result(open_dataset(path), path)


def euler_angles(quaternions: np.ndarray, sequence: str) -> np.ndarray:
    """Intrinsic Euler angles [rad], shape [n, 3], of quaternions (w, x, y, z), without jumps of 2 pi along n."""
    from scipy.spatial.transform import Rotation

    angles = np.full((len(quaternions), 3), np.nan)
    good = np.all(np.isfinite(quaternions), axis=1) & np.any(quaternions != 0.0, axis=1)
    if not good.any():
        return angles
    with warnings.catch_warnings():
        # scipy warns at gimbal lock, where the third angle is arbitrary and set to zero
        warnings.simplefilter("ignore")
        angles[good] = Rotation.from_quat(quaternions[good][:, [1, 2, 3, 0]]).as_euler(sequence.upper())
    for k in (0, 2):
        angles[good, k] = np.unwrap(angles[good, k])
    return angles
