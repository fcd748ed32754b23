"""A linear model: matrices with names and units, as a value."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

NO_MODEL = "is no linear model that taut wrote as .npz"


@dataclass(frozen=True)
class LinearModel:
    """x' = A x + B u + drift,  y = C x + D u, each as a difference from the operating point.

    With a period, x(k+1) = A x(k) + B u(k) + drift for inputs that are held over it.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    state_units: tuple[str, ...]
    input_units: tuple[str, ...]
    output_units: tuple[str, ...]
    drift: np.ndarray  # x' at the operating point; zero at rest
    output: np.ndarray  # y at the operating point
    name: str = ""
    at: str = "rest"
    time: float = 0.0  # time of the operating point [s]
    period: float = 0.0  # period of a discrete model [s]; 0: a continuous model
    notes: tuple[str, ...] = ()  # remarks, such as coordinates that friction holds

    @property
    def poles(self) -> Any:
        """Eigenvalues of A [1/s], or of a discrete model [1]."""
        return np.linalg.eigvals(self.A)

    def as_dict(self) -> dict[str, Any]:
        """All fields as arrays of numbers and texts."""
        found: dict[str, Any] = {key: getattr(self, key) for key in ("A", "B", "C", "D", "drift", "output")}
        for key in ("states", "inputs", "outputs", "state_units", "input_units", "output_units", "notes"):
            found[key] = np.array(getattr(self, key), dtype=np.str_)
        return found | {"name": self.name, "at": self.at, "time": self.time, "period": self.period}

    def save(self, path: str | Path) -> None:
        """Write the model as .npz, or as .mat for MATLAB, by the ending of the name."""
        from taut.results.errors import from_os_error
        from taut.scenario.errors import Problem, ScenarioError

        path, write = Path(path), {".npz": self._save_npz, ".mat": self._save_mat}
        if path.suffix not in write:
            raise ScenarioError([Problem("must end in .npz or .mat", "output", value=str(path))])
        try:
            write[path.suffix](path)
        except OSError as error:
            raise from_os_error(path, error, "cannot be written") from error

    def _save_npz(self, path: Path) -> None:
        np.savez(path, **self.as_dict())

    def _save_mat(self, path: Path) -> None:
        from scipy.io import savemat

        lists = {key: np.array(list(value), dtype=object) if value.dtype.kind == "U" else value
                 for key, value in self.as_dict().items() if isinstance(value, np.ndarray)}  # fmt: skip
        savemat(path, {**self.as_dict(), **lists}, oned_as="column")


def load_linear(path: str | Path) -> LinearModel:
    """Read a model that ``save`` wrote as .npz.

    Raises:
        ScenarioError: there is no such file, or it is no linear model.
    """
    from taut.scenario.errors import Problem, ScenarioError

    try:
        with np.load(path, allow_pickle=False) as file:
            fields: dict[str, Any] = {key: file[key] for key in file.files}
    except FileNotFoundError:
        raise ScenarioError([Problem("there is no such file", source=str(path))]) from None
    except (OSError, ValueError, AttributeError, BadZipFile):
        raise ScenarioError([Problem(NO_MODEL, source=str(path))]) from None
    if set(fields) != set(LinearModel.__dataclass_fields__):
        raise ScenarioError([Problem(NO_MODEL, source=str(path))])
    texts = ("states", "inputs", "outputs", "state_units", "input_units", "output_units", "notes")
    fields |= {key: tuple(map(str, fields[key])) for key in texts}
    fields |= {key: str(fields[key]) for key in ("name", "at")}
    fields |= {key: float(fields[key]) for key in ("time", "period")}
    return LinearModel(**fields)
