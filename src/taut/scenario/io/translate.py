"""From validation errors to problems a user can act on."""

import re
from collections.abc import Callable
from typing import Any, get_args

from pydantic import BaseModel

from taut.scenario.errors import NO_VALUE, Problem, in_order, shorten, suggest

from .fields import Place, locate
from .source import Path, Source, join_path, split_path, value_at

NOT_KINDS = {"number", "text", "one", "many", "diagonal", "matrix"}
MESSAGES = {
    "missing": "is required",
    "extra_forbidden": "unknown key",
    "greater_than": "must be greater than {gt:g}",
    "greater_than_equal": "must not be less than {ge:g}",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must not be more than {le:g}",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_type": "must be true or false",
    "string_type": "must be text",
    "string_too_short": "must not be empty",
    "string_too_long": "must not be longer than {max_length} characters",
    "dict_type": "must be a mapping (key: value)",
    "model_type": "must be a mapping (key: value)",
    "model_attributes_type": "must be a mapping (key: value)",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
}
WITHOUT_VALUE = {"missing", "union_tag_not_found", "model_type", "dict_type"}
QUOTED = re.compile(r"'([^']*)'")


def problems_from(errors: list[Any], root: type[BaseModel], data: Any, source: Source) -> list[Problem]:
    """Return the problems behind a list of pydantic errors, in the order of the file, each once."""
    problems = [_problem(error, root, data, source) for error in errors]
    # a misspelt key is reported once, and not also as a missing one
    meant = {_meant(problem) for problem in problems if problem.remedy.startswith("did you mean")}
    return in_order(problem for problem in problems if problem.message != "is required" or problem.path not in meant)


def _meant(problem: Problem) -> str:
    """Return the path of the key the user meant."""
    record, _, _ = problem.path.rpartition(".")
    return f"{record}.{QUOTED.findall(problem.remedy)[0]}".removeprefix(".")


def _problem(error: Any, root: type[BaseModel], data: Any, source: Source) -> Problem:
    place = locate(root, error["loc"])
    path = place.path
    if error["type"] in ("missing", "extra_forbidden") and (not path or path[-1] != error["loc"][-1]):
        path = (*path, error["loc"][-1])
    context = error.get("ctx") or {}
    if context.get("at"):
        path = (*path, *split_path(context["at"]))
    path, message, remedy = _special(error, place, path)
    value = value_at(data, path, NO_VALUE)
    value = value_at(data, source.original(path), NO_VALUE) if value is NO_VALUE else value
    if error["type"] in WITHOUT_VALUE or isinstance(value, dict) or len(shorten(value)) > 200:
        value = NO_VALUE
    file, line = source.where(path)
    return Problem(message, join_path(source.original(path)), value, remedy, file, line)


def _special(error: Any, place: Place, path: Path) -> tuple[Path, str, str]:
    """Return path, message and remedy; a few kinds of error deserve more than a sentence."""
    context = error.get("ctx") or {}
    special: Callable[..., tuple[Path, str, str]] | None = SPECIAL.get(error["type"])
    if special:
        return special(error, place, path)
    if error["type"] not in MESSAGES:
        return path, str(error["msg"]), ""
    message = MESSAGES[error["type"]].format(**context)
    unit = place.unit()
    return path, f"{message} [{unit}]" if unit and error["type"] != "missing" else message, _remedy(error, place)


def _remedy(error: Any, place: Place) -> str:
    """What to write instead, where that is plain from the value."""
    given = error["input"]
    if error["type"] == "string_type" and not isinstance(given, dict | list):
        return "put it in quotes"
    if error["type"] in ("tuple_type", "list_type") and isinstance(given, int | float) and not isinstance(given, bool):
        return f"write [{given:g}]"
    if error["type"] == "greater_than" and given == 0 and place.field is not None and not place.field.is_required():
        return "leave it out for none" if place.field.get_default() is None else ""
    if error["type"] == "missing" and "mrfe" in error["loc"] and isinstance(given, dict) and "kind" not in given:
        return "without kind a cable is mrfe, a chain of elements with mass; for one without mass write kind: spring"
    return ""


def _own(error: Any, place: Place, path: Path) -> tuple[Path, str, str]:
    context, unit = error["ctx"], place.unit()
    is_number = context["message"].startswith("must be a ") and not context["at"]
    message = f"{context['message']} [{unit}]" if is_number and unit else context["message"]
    return path, message, context["remedy"]


def _unknown_key(error: Any, place: Place, path: Path) -> tuple[Path, str, str]:
    return path, "unknown key", suggest(str(error["loc"][-1]), place.keys() + (["defaults"] if len(path) == 1 else []))


def _choice(error: Any, place: Place, path: Path) -> tuple[Path, str, str]:
    allowed = QUOTED.findall(error["ctx"]["expected"])
    if not allowed:
        return path, f"must be {error['ctx']['expected']}", ""
    remedy = suggest(str(error["input"]), allowed)
    return path, f"must be one of {', '.join(allowed)}", remedy if remedy.startswith("did") else ""


def _kind(error: Any, place: Place, path: Path) -> tuple[Path, str, str]:
    allowed = [tag for tag in QUOTED.findall(error["ctx"]["expected_tags"]) if tag not in NOT_KINDS]
    key = "law" if any("law" in model.model_fields for model in place.models) else "kind"
    tag = error["ctx"]["tag"]
    if not isinstance(error["input"], dict):
        return path, f"must be a mapping with {key}: one of {', '.join(allowed)}", ""
    if key not in error["input"]:
        return path, f"needs {key}: one of {', '.join(allowed)}", ""
    remedy = suggest(tag, allowed)
    return (*path, key), f"must be one of {', '.join(allowed)}", remedy if remedy.startswith("did") else ""


def _no_kind(error: Any, place: Place, path: Path) -> tuple[Path, str, str]:
    fields = [model.model_fields["kind"] for model in place.models if "kind" in model.model_fields]
    allowed = [kind for entry in fields for kind in get_args(entry.annotation)]
    if not allowed:
        return path, "is not understood here", ""
    needs = "needs kind:" if isinstance(error["input"], dict) else "must be a mapping with kind:"
    return path, f"{needs} one of {', '.join(allowed)}", ""


def _name(error: Any, place: Place, path: Path) -> tuple[Path, str, str]:
    if "-" in error["ctx"]["pattern"].rpartition("9")[2]:
        return path, "name must consist of letters, digits, blanks, - and _, and not begin with a blank or -", ""
    return path, "name must consist of letters, digits and _, and not begin with a digit", ""


SPECIAL = {
    "string_pattern_mismatch": _name,
    "taut": _own,
    "extra_forbidden": _unknown_key,
    "literal_error": _choice,
    "union_tag_invalid": _kind,
    "union_tag_not_found": _no_kind,
}
