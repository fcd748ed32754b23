"""What the machine is (Model) and where it stands (Data, Factor).

The names are fetched when asked for: a scenario reads the definitions of joints and laws without the compiler.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from taut.model.data import Data, Factor, data_beside, new_data, new_factor, set_moment
    from taut.model.model import Model

__all__ = ["Data", "Factor", "Model", "data_beside", "new_data", "new_factor", "set_moment"]


def __getattr__(name: str) -> Any:
    """Fetch a public name from its module."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("taut.model.model" if name == "Model" else "taut.model.data"), name)
