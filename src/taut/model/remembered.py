"""What is found of a model and kept beside it: never part of it, and not of its pickle.

Models are never written to, and many runs may share one: what follows from a model alone is found once.
"""

from collections.abc import Callable
from typing import Any

from taut.model.model import Model


class Kept(dict[Any, Any]):
    """By name; a copy in another process begins empty."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave everything behind."""
        return Kept, ()


def kept(model: Model) -> Kept:
    """Objects made once for a model and kept beside it."""
    return model.__dict__.setdefault("_kept", Kept())


def remembered(model: Model, what: str, find: Callable[[Model], Any]) -> Any:
    """Result of ``find`` for a model, computed once and kept by a name."""
    known = kept(model)
    if what not in known:
        known[what] = find(model)
    return known[what]
