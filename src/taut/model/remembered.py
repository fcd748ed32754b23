"""What follows from a model alone, found once: models are never written to, and many runs may share one."""

import weakref
from collections.abc import Callable
from typing import Any

from taut.model.model import Model

# by the identity of a model, as long as it lives; models cannot be hashed, and are not to be pickled with this
KNOWN: dict[int, dict[str, Any]] = {}


def remembered(model: Model, what: str, find: Callable[[Model], Any]) -> Any:
    """What ``find`` finds in a model, by a name of its own; it must not refer to the model, or that lives for ever."""
    known = KNOWN.get(id(model))
    if known is None:
        known = KNOWN.setdefault(id(model), {})
        weakref.finalize(model, KNOWN.pop, id(model), None)
    if what not in known:
        known[what] = find(model)
    return known[what]
