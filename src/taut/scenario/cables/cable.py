"""Cables: one record for each kind, and their union, which the key `kind` tells apart.

A new kind is a file with a record of its own `kind`, derived from `CableBase`, and a line in `Cable`. A cable without a
`kind` is of the kind `mrfe`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, get_args

from pydantic import Discriminator, Tag

from .massless import CableIdeal, CableSpring
from .mrfe import CableMrfe
from .ritz import CableRitz

DEFAULT_KIND = "mrfe"


def kind_of(value: Any) -> Any:
    """Return the kind of a cable, given as a mapping or as a record."""
    return value.get("kind", DEFAULT_KIND) if isinstance(value, Mapping) else getattr(value, "kind", DEFAULT_KIND)


Cable = Annotated[
    Annotated[CableMrfe, Tag("mrfe")]
    | Annotated[CableRitz, Tag("ritz")]
    | Annotated[CableSpring, Tag("spring")]
    | Annotated[CableIdeal, Tag("ideal")],
    Discriminator(kind_of),
]


def cable_keys() -> dict[str, set[str]]:
    """Return the keys that a cable of each kind knows."""
    union, _ = get_args(Cable)
    records = {get_args(tagged)[1].tag: get_args(tagged)[0] for tagged in get_args(union)}
    return {kind: set(record.model_fields) for kind, record in records.items()}
