"""A reduction: shapes of a scenario's cables, the states they were made from, and the file that keeps both.

The file is a zip of arrays (NumPy's ``npz``) with a header in JSON: versions, the scenario the reduction belongs to,
its training runs and their errors. A reduction fits a scenario with the same machine: everything but the inputs
(signals, forces, run settings) must be as it was.
"""

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.build.build import build
from taut.build.cables.ritz_shapes import RitzShapes
from taut.build.reduction.piecewise import PiecewiseForces
from taut.build.reduction.reduced import CableShapes, Validity
from taut.model.model import Model
from taut.results.errors import ResultError, from_os_error
from taut.scenario.scenario import Scenario

if TYPE_CHECKING:
    import xarray as xr

FORMAT = 2
# keys that do not affect a reduction: texts, inputs and run settings
INPUTS = ("name", "description", "forces", "drivers", "motion", "run", "signals", "events", "controllers",
          "measurements", "commands", "initial", "failures")  # fmt: skip
MISSED = "the reduced model is off by {:.2g} % of the motion in its own training: it is not to be trusted"
KINDS: dict[str, Any] = {"mrfe": CableShapes, "ritz": RitzShapes}


@dataclass(frozen=True)
class Reduction:
    """Shapes and validity of every reduced cable, and where they come from."""

    cables: dict[str, CableShapes | RitzShapes]
    validity: dict[str, Validity]  # range of the training, by cable
    machine: str  # the part of the scenario that describes the machine, as JSON
    left: dict[str, str] = field(default_factory=dict)  # cables that were not reduced, with the reason
    notes: dict[str, Any] = field(default_factory=dict)  # training inputs, errors and run times, for reports
    points: PiecewiseForces | None = None  # piecewise linear forces in place of reduced cables
    way: float = 0.0  # largest displacement of the cables in training, in the norm of the masses [kg^(1/2) m]
    residual: float = 0.0  # largest ``rom_residual`` in training

    def check(self, scenario: Scenario, source: str = "") -> None:
        """Refuse a scenario of another machine.

        Raises:
            ResultError: what differs.
        """
        mine, theirs = json.loads(self.machine), json.loads(machine_text(scenario))
        if mine == theirs:
            return
        changed = sorted(key for key in {*mine, *theirs} if mine.get(key) != theirs.get(key))
        parts = [part for key in changed for part in differences(mine.get(key), theirs.get(key), key)]
        remedy = "make a reduction of this scenario with taut reduce, or run it without --rom"
        raise ResultError(source, f"was made for another machine: {'; '.join(parts[:4])}", remedy)

    def warnings(self) -> tuple[str, ...]:
        """Warnings of every run with this reduction: that its target was missed in training."""
        errors = self.notes.get("errors") or [{"moved": 0.0, "body": 0.0}]
        error = max(errors[0]["moved"], errors[0]["body"])
        return (MISSED.format(100 * error),) if error > self.notes.get("target", np.inf) else ()

    def to_xarray(self) -> "xr.Dataset":
        """Shapes of every reduced cable, and what their coordinates were in training, as a dataset; NaN: no shape."""
        import xarray as xr

        most = max((shapes.count for shapes in self.cables.values()), default=0)
        found: dict[str, Any] = {"shape_count": ("cable", [shapes.count for shapes in self.cables.values()])}
        for what, said in (("low", "smallest"), ("high", "largest"), ("rate", "largest rate of the")):
            values = np.full((len(self.cables), most), np.nan)
            for row, name in zip(values, self.cables, strict=True):
                row[: len(getattr(self.validity[name], what))] = getattr(self.validity[name], what)
            found[what] = (("cable", "shape"), values, {"long_name": f"{said} coordinate in training"})
        attrs = {"way": self.way, "residual": self.residual, "left": json.dumps(self.left)}
        return xr.Dataset(found, coords={"cable": list(self.cables)}, attrs=attrs)

    def save(self, path: str | Path) -> None:
        """Write the file."""
        path = Path(path)
        arrays, cables = {}, []
        for k, (name, shapes) in enumerate(self.cables.items()):
            valid = self.validity[name]
            own, numbers = shapes.content()
            own |= {"low": valid.low, "high": valid.high, "rate": valid.rate}
            arrays |= {f"{label}_{k}": part for label, part in own.items()}
            cables.append({"name": name, **numbers})
        if self.points is not None:
            arrays |= {f"points_{label}": part for label, part in self.points.content().items()}
        header = {"taut": "reduction", "format": FORMAT, "cables": cables, "machine": self.machine, "left": self.left,
                  "way": self.way, "residual": self.residual,
                  "notes": self.notes}  # fmt: skip
        arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
        whole = io.BytesIO()
        np.savez_compressed(whole, **arrays)
        try:
            path.write_bytes(whole.getvalue())
        except OSError as error:
            raise from_os_error(path, error, "cannot be written") from error


def differences(mine: Any, theirs: Any, path: str) -> list[str]:
    """Where two plain documents differ, in words."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        keys = sorted({*mine, *theirs})
        return [part for key in keys for part in differences(mine.get(key), theirs.get(key), f"{path}.{key}")]
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        pairs = enumerate(zip(mine, theirs, strict=True))
        return [part for k, (a, b) in pairs for part in differences(a, b, f"{path}[{k}]")]
    return [] if mine == theirs else [f"{path} is {shown(theirs)}, and was {shown(mine)}"]


def shown(value: Any) -> str:
    """A value in a message."""
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def machine_text(scenario: Scenario) -> str:
    """The machine's part of a scenario in JSON."""
    data = scenario.model_dump(mode="json")
    for key in INPUTS:
        data.pop(key, None)
    return json.dumps(data, sort_keys=True)


def load_reduction(path: str | Path) -> Reduction:
    """Read a file written by ``Reduction.save``.

    Raises:
        ResultError: there is no such file, or it is no reduction.
    """
    path = Path(path)
    remedy = "make one with taut reduce FILE -o MODEL.rom"
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as content:
            arrays = dict(content)
        header = json.loads(bytes(arrays["header"]))
        if header.get("taut") != "reduction":
            raise KeyError("taut")
        if header["format"] != FORMAT:
            raise ResultError(path, f"has format {header['format']}, and this version reads {FORMAT}", remedy)
        return from_arrays(header, arrays)
    except OSError as error:
        raise from_os_error(path, error, "cannot be read") from error
    except (ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise ResultError(path, "is no reduced model of taut", remedy) from error


def from_arrays(header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Reduction:
    """The reduction in a file's content."""
    cables, validity = {}, {}
    for k, cable in enumerate(header["cables"]):
        numbers = {key: value for key, value in cable.items() if key not in ("name", "kind")}
        kind = KINDS[cable["kind"]]
        own = {field.name: arrays[f"{field.name}_{k}"] for field in fields(kind) if field.name not in numbers}
        cables[cable["name"]] = kind(**own, **numbers)
        validity[cable["name"]] = Validity(*(arrays[f"{label}_{k}"] for label in ("low", "high", "rate")))
    labels = [item.name for item in fields(PiecewiseForces)]
    points = PiecewiseForces(*(arrays[f"points_{label}"] for label in labels)) if "points_q" in arrays else None
    return Reduction(cables, validity, header["machine"], header["left"], header["notes"], points, header["way"],
                     header["residual"])  # fmt: skip


def build_reduced(scenario: Scenario, reduction: Reduction, source: str = "") -> Model:
    """The model of a scenario with reduced cables or forces, which knows where they can be trusted.

    Raises:
        ResultError: the reduction belongs to another machine.
    """
    reduction.check(scenario, source)
    full = build(scenario)
    model = build(scenario, reduction.cables) if reduction.cables else full
    known = {name: replace(cable, valid=reduction.validity[name]) for name, cable in model.reduced.items()}
    if reduction.points is not None:
        model = reduction.points.of(model)
    return replace(model, reduced=known, full=full, way=reduction.way, usual_residual=reduction.residual,
                   warnings=reduction.warnings())  # fmt: skip
