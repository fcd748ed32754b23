"""The dataset of a study: arrays in memory, and a Zarr folder (version 3) that follows them.

Only the client writes, always whole chunks, each file under a temporary name first. ``status`` is written after
everything else of its chunk: a run counts as done when its status is there, so that a process killed between two files
loses nothing that counted, and leaves nothing half-done that counts.
"""

import json
import os
import shutil
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from taut.results.errors import ResultError, UnsavedError, from_os_error
from taut.results.store import write_whole
from taut.studies.measures import VERDICTS
from taut.studies.running import MISSING, STATUSES, Outcome
from taut.studies.study import Study, study_from
from taut.studies.versions import own_versions

FORMAT = "taut study"
MAKE_ROOM = "make room and add --resume: what was done is kept"
FEWEST, MOST = 50, 1000  # least and largest number of runs in a chunk of the file
# variables of every study, in the order of writing; status is last, because it marks a run as written
ALWAYS = ("cause", "seconds", "audit", "status")

# variables of a dataset by name: dimensions, values and attributes of each
Variables = dict[str, tuple[tuple[str, ...], np.ndarray, dict[str, Any]]]


@dataclass(frozen=True)
class Shape:
    """Dimension, labels and unit of a measure in the dataset."""

    dim: str = ""
    labels: tuple[str, ...] = ()
    unit: str = ""
    meaning: str = ""

    @property
    def size(self) -> int:
        """Number of values of the measure in one run."""
        return len(self.labels) if self.dim else 1


class Store:
    """Outcomes of all runs of a study; with a path, also on disk."""

    def __init__(self, study: Study, shapes: dict[str, Shape], path: Path | None) -> None:
        """Begin with no run done."""
        n = study.count
        self.study, self.shapes, self.path = study, shapes, path
        self.measures = {name: np.full((n, shape.size), np.nan) for name, shape in shapes.items()}
        self.status, self.audit = np.zeros(n, np.int8), np.zeros(n, np.int8)
        self.seconds, self.cause = np.full(n, np.nan), np.full(n, "", object)
        self.chunk = int(np.clip(n // 100, FEWEST, MOST))
        self._changed: set[int] = set()
        self._arrays: dict[str, Any] = {}  # arrays of the folder that are written as runs end, by name; none: no folder

    def create(self) -> None:
        """Make the folder with empty arrays; the design is written at once.

        It gets its name when it is complete: a client that is killed meanwhile leaves no half study behind, which could
        neither be resumed nor thrown away.
        """
        if self.path is None:
            return
        import zarr

        begun = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        attrs = {"format": FORMAT, "format_version": 1, "title": self.study.title, "digest": self.study.digest,
                 "study": json.dumps(self.study.as_dict()), "parameters": list(self.study.table.varied),
                 "versions": own_versions(), "kept": self.study.record.keep}  # fmt: skip
        try:
            group = zarr.open_group(begun, mode="w", zarr_format=3, attributes=attrs)
            for name, (dims, values, own) in self._variables().items():
                is_text = values.dtype.kind == "O"
                array = group.create_array(name, shape=values.shape, chunks=(self.chunk, *values.shape[1:])
                                           if dims[0] == "run" else values.shape, dtype="string" if is_text else
                                           values.dtype, dimension_names=dims, attributes=own,
                                           fill_value=_fill(values.dtype))  # fmt: skip
                if name not in self.measures and name not in ALWAYS:
                    array[...] = values
            begun.rename(self.path)
        except OSError as error:
            raise from_os_error(self.path, error, "cannot be written") from error
        finally:
            shutil.rmtree(begun, ignore_errors=True)
        self._open()

    def _open(self) -> dict[str, Any]:
        """The arrays of the folder that are written as runs end, by name."""
        import zarr

        group = zarr.open_group(self.path, mode="r+", zarr_format=3)
        self._arrays = {name: group[name] for name in (*self.measures, *ALWAYS)}
        return self._arrays

    def take_up(self) -> None:
        """Read what an earlier sweep of this study left.

        Raises:
            ResultError: the folder is of another study, or computed by other code.
        """
        assert self.path is not None
        attrs = check_format(self.path)
        if attrs.get("digest") != self.study.digest:
            raise ResultError(self.path, "is of another study", "leave --resume out and give another -o")
        if attrs.get("versions") != own_versions():
            changed = [f"{key} {old}" for key, old in attrs["versions"].items() if own_versions().get(key) != old]
            raise ResultError(self.path, f"was begun with {', '.join(changed)}", "carry on with that, or --restart")
        arrays = self._open()
        self.chunk = arrays["status"].chunks[0]
        for name in self.measures:
            self.measures[name] = arrays[name][...].reshape(self.measures[name].shape)
        self.status, self.audit = arrays["status"][...], arrays["audit"][...]
        self.seconds, self.cause = arrays["seconds"][...], arrays["cause"][...].astype(object)
        self.forget(np.flatnonzero(self.status == MISSING))

    def forget(self, runs: Iterable[int]) -> None:
        """Take runs as not done: a chunk may hold numbers of runs whose status was not written any more."""
        for run in runs:
            self.status[run], self.audit[run], self.cause[run], self.seconds[run] = MISSING, 0, "", np.nan
            for values in self.measures.values():
                values[run] = np.nan

    def missing(self) -> np.ndarray:
        """Numbers of the runs that are still to be done."""
        return np.flatnonzero(self.status == MISSING)

    def put(self, runs: Sequence[int], outcomes: Sequence[Outcome]) -> None:
        """Note how runs ended; their results, if kept, are written at once."""
        for run, outcome in zip(runs, outcomes, strict=True):
            if outcome.image is not None and self.path is not None:
                keep_result(self.path, run, outcome.image)
            for name, values in outcome.measures.items():
                self.measures[name][run] = values
            self.status[run], self.audit[run] = outcome.status, outcome.audit
            self.cause[run], self.seconds[run] = outcome.cause, outcome.seconds
            self._changed.add(run // self.chunk)

    def write(self) -> None:
        """Bring the chunks that changed to the disk.

        Raises:
            UnsavedError: the disk is full or gone; what was written before stays, and can be resumed.
        """
        if not self._arrays:
            self._changed.clear()
            return
        found = self._found()
        try:
            for chunk in sorted(self._changed):
                part = slice(chunk * self.chunk, (chunk + 1) * self.chunk)
                for name in (*self.measures, *ALWAYS):
                    self._arrays[name][part] = found[name][1][part]
                self._changed.discard(chunk)
        except OSError as error:
            found = from_os_error(self.path or "", error, "cannot be written")
            raise UnsavedError(found.path, found.reason, MAKE_ROOM) from error

    def _variables(self) -> Variables:
        """The design, and what was found."""
        design: Variables = {}
        for key, column in self.study.table.varied.items():
            own = {"long_name": key, "units": unit_of(key)}
            if not column.is_numeric:
                own["levels"] = json.dumps(list(column.levels))
            design[key] = (("run",), column.as_numbers(self.study.count), own)
        return design | self._found()

    def _found(self) -> Variables:
        """What was found in the runs, and the labels of the measures."""
        found: Variables = {}
        for name, shape in self.shapes.items():
            own = {"long_name": shape.meaning, "units": shape.unit}
            values = self.measures[name]
            found[name] = (("run", shape.dim), values, own) if shape.dim else (("run",), values[:, 0], own)
            if shape.dim:
                found[shape.dim] = ((shape.dim,), np.array(shape.labels, object), {})
        flags = {
            "flag_values": list(range(len(STATUSES))),
            "flag_meanings": " ".join(s.replace(" ", "_") for s in STATUSES),
        }
        verdicts = {"flag_values": list(VERDICTS.values()), "flag_meanings": "none pass fail incomplete"}
        found["status"] = (("run",), self.status, {"long_name": "how the run ended", **flags})
        found["audit"] = (("run",), self.audit, {"long_name": "verdict of the audit", **verdicts})
        found["seconds"] = (("run",), self.seconds, {"long_name": "computing time", "units": "s"})
        found["cause"] = (("run",), self.cause, {"long_name": "why the run or its audit failed"})
        return found

    def dataset(self) -> xr.Dataset:
        """The study so far."""
        variables = {name: (dims, values.copy(), own) for name, (dims, values, own) in self._variables().items()}
        attrs = {"format": FORMAT, "title": self.study.title, "study": json.dumps(self.study.as_dict()),
                 "parameters": list(self.study.table.varied)}  # fmt: skip
        return _shown(xr.Dataset(variables, {"run": np.arange(self.study.count)}, attrs))


def _fill(dtype: Any) -> Any:
    return "" if dtype.kind == "O" else np.nan if dtype.kind == "f" else 0


def unit_of(key: str) -> str:
    """Unit of a key of the scenario, if its record says so."""
    from taut.scenario.io.fields import locate
    from taut.scenario.io.source import split_path
    from taut.scenario.scenario import Scenario

    steps = tuple(0 if step == "*" else step for step in split_path(key))
    # locate also finds list entries addressed by name; the last step must be a key of the record
    place = locate(Scenario, steps)
    return place.unit() if place.path[-1:] == steps[-1:] else ""


def result_file(path: Path, run: int, *, make: bool = False) -> Path:
    """Where the result of a run is kept."""
    folder = path.with_name(f"{path.stem}-runs")
    if make:
        folder.mkdir(exist_ok=True)
    return folder / f"{run:06d}.nc"


def keep_result(path: Path, run: int, image: bytes) -> None:
    """Write the result of a run.

    Raises:
        UnsavedError: the disk is full or gone; the run counts as not done.
    """
    try:
        write_whole(result_file(path, run, make=True), image)
    except OSError as error:
        found = from_os_error(path, error, "cannot be written")
        raise UnsavedError(found.path, found.reason, MAKE_ROOM) from error
    except ResultError as error:
        raise UnsavedError(error.path, error.reason, MAKE_ROOM) from error


def check_format(path: Path) -> dict[str, Any]:
    """Attributes of a study's folder.

    Raises:
        ResultError: there is none, or it is something else.
    """
    import zarr

    if not path.is_dir():
        raise ResultError(path, "does not exist or is not a study", "studies are written by `taut sweep`")
    try:
        attrs = dict(zarr.open_group(path, mode="r", zarr_format=3).attrs)
    except (FileNotFoundError, ValueError, KeyError):
        raise ResultError(path, "is not a study", "studies are written by `taut sweep`") from None
    if attrs.get("format") != FORMAT:
        raise ResultError(path, "is a Zarr folder, but not a study", "studies are written by `taut sweep`")
    return attrs


def open_study(path: str | Path) -> xr.Dataset:
    """The dataset of a study, also while it runs: parameters and measures over the runs, and how each ended."""
    check_format(Path(path))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = xr.open_zarr(path, consolidated=False, chunks=None, decode_times=False).load()
    return _shown(found.assign_coords(run=np.arange(found.sizes["run"])))


def _shown(dataset: xr.Dataset) -> xr.Dataset:
    names = [name for name in dataset.attrs["parameters"] if name in dataset]
    return dataset.set_coords([*names, *(dim for dim in dataset.sizes if dim in dataset and dim != "run")])


def study_inside(path: str | Path) -> Study:
    """The study that a folder is of."""
    return study_from(json.loads(check_format(Path(path))["study"]), str(path))


def remove(path: Path) -> None:
    """Throw a study away, its kept results too."""
    check_format(path)
    shutil.rmtree(path)
    shutil.rmtree(result_file(path, 0).parent, ignore_errors=True)
