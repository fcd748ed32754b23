"""Named arrays of a result as plain records: xarray, slow to import, is needed only where a dataset is asked for."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import xarray as xr


@dataclass(slots=True)
class Variable:
    """An array with the names of its dimensions and attributes; properties are named as those of xarray."""

    dims: tuple[str, ...]
    values: np.ndarray
    attrs: dict[str, Any] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self.values.shape

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes by the names of the dimensions."""
        return dict(zip(self.dims, self.values.shape, strict=True))

    @property
    def size(self) -> int:
        """Number of values."""
        return self.values.size

    @property
    def dtype(self) -> np.dtype:
        """Type of the values."""
        return self.values.dtype

    @property
    def nbytes(self) -> int:
        """Bytes of the values."""
        return self.values.nbytes

    def transpose(self, *dims: str) -> "Variable":
        """The variable with its dimensions in another order."""
        return Variable(dims, self.values.transpose([self.dims.index(dim) for dim in dims]), self.attrs)


Variables = dict[str, Variable]  # variables and coordinates of a dataset, by name


@dataclass(frozen=True)
class Content:
    """Content of a dataset: variables, which of them are coordinates, and attributes of the whole."""

    variables: Variables
    coordinates: tuple[str, ...]
    attrs: dict[str, Any]

    def to_xarray(self) -> "xr.Dataset":
        """The content as an ``xarray.Dataset``."""
        import xarray as xr

        made = {name: xr.Variable(one.dims, one.values, one.attrs) for name, one in self.variables.items()}
        return xr.Dataset({name: made[name] for name in made if name not in self.coordinates},
                          {name: made[name] for name in self.coordinates}, self.attrs)  # fmt: skip


def content_of(dataset: "xr.Dataset") -> Content:
    """The content of a dataset; its values are read if they lie in a file."""
    own = {str(name): Variable(tuple(map(str, one.dims)), one.values, dict(one.attrs))
           for name, one in dataset.variables.items()}  # fmt: skip
    return Content(own, tuple(map(str, dataset.coords)), dict(dataset.attrs))
