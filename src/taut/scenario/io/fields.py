"""The location of a validation error followed through the records: its key, its unit, and the keys allowed there."""

import types
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from .source import Path


@dataclass(frozen=True)
class Place:
    """Where an error is: path of keys, the last field on the way, and the records that may stand there."""

    path: Path
    field: FieldInfo | None
    models: tuple[type[BaseModel], ...]

    def unit(self) -> str:
        """Return the unit of the field; empty if there is none."""
        extra = self.field.json_schema_extra if self.field else None
        return str(extra.get("unit", "")) if isinstance(extra, dict) else ""

    def keys(self) -> list[str]:
        """Return the keys that the records at this place know."""
        return list(dict.fromkeys(key for model in self.models for key in keyed_fields(model)))


def locate(root: type[BaseModel], location: tuple[Any, ...]) -> Place:
    """Return the place of a validation error; steps that only name a branch of a union are left out of the path."""
    options: list[Any] = [root]
    path: list[Any] = []
    field: FieldInfo | None = None
    for step in location:
        flat = [option for annotation in options for option in _flatten(annotation)]
        models = [option for option in flat if _is_model(option)]
        fields = [keyed_fields(model)[step] for model in models if step in keyed_fields(model)]
        if fields:
            field, options = fields[0], [entry.annotation for entry in fields]
        elif entries := _entries(flat, step):
            options = entries
        else:
            options = [model for model in models if _carries(model, step)] or options
            continue
        path.append(step)
    models = [option for annotation in options for option in _flatten(annotation) if _is_model(option)]
    return Place(tuple(path), field, tuple(models))


def keyed_fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """Return the fields of a record by the key that the user writes."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _flatten(annotation: Any) -> list[Any]:
    """Return the members of unions, without their annotations."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _flatten(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return [member for argument in get_args(annotation) for member in _flatten(argument)]
    return [annotation]


def _entries(flat: list[Any], step: Any) -> list[Any]:
    """Return the types of the entries of lists (for a number) or mappings (for a name)."""
    wanted = tuple if isinstance(step, int) else dict
    found = [option for option in flat if get_origin(option) is wanted and step != "[key]"]
    if wanted is dict:
        return [get_args(option)[1] for option in found]
    return [argument for option in found for argument in get_args(option) if argument is not Ellipsis]


def _is_model(option: Any) -> bool:
    return isinstance(option, type) and issubclass(option, BaseModel)


def _carries(model: type[BaseModel], tag: Any) -> bool:
    """Return whether the record is the one with this kind or law."""
    fields = [model.model_fields[key] for key in ("kind", "law") if key in model.model_fields]
    return any(get_origin(field.annotation) is Literal and tag in get_args(field.annotation) for field in fields)
