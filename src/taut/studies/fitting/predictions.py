"""Parameters of a fit as they are written on the command line, and its prediction as a table."""

import csv
from io import StringIO
from pathlib import Path

from taut.results.store import write_whole
from taut.scenario.errors import Problem, ScenarioError
from taut.studies.fitting.fit import Fit
from taut.studies.fitting.measured import Measured


def read_parameters(texts: list[str]) -> dict[str, tuple[float, float] | None]:
    """Keys and limits from texts such as `platform.mass=1:5`."""
    found: dict[str, tuple[float, float] | None] = {}
    for text in texts:
        key, equals, limits = text.partition("=")
        try:
            ends = [float(part) for part in limits.split(":")] if equals else []
        except ValueError:
            ends = []
        if equals and (len(ends) != 2 or ends[1] <= ends[0]):
            message = "must be KEY or KEY=LOW:HIGH"
            raise ScenarioError([Problem(message, source=f"--parameter {text}", remedy="platform.mass=1:5")])
        if key.strip() in found:
            raise ScenarioError([Problem("is named twice", source=f"--parameter {text}")])
        found[key.strip()] = (ends[0], ends[1]) if equals else None
    return found


def write_prediction(found: Fit, measured: Measured, path: Path) -> Path:
    """Measured, predicted, and the ends of the 95 % band of new measurements, at the times of the data."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    kinds = ("measured", "predicted", "low", "high")
    writer.writerow(["time", *(f"{name} {kind}" for name in measured.columns for kind in kinds)])
    for k, time in enumerate(measured.time):
        row = [repr(float(time))]
        for c in range(len(measured.columns)):
            value, half = found.prediction[k, c], found.band[k, c]
            row += [repr(float(x)) for x in (measured.values[k, c], value, value - half, value + half)]
        writer.writerow(row)
    return write_whole(path, text.getvalue().encode("utf-8"))
