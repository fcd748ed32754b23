"""What is found of a model and kept beside it: never part of it, and not of its pickle."""

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
