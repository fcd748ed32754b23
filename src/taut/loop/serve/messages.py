"""Messages of clients: one JSON object each, with one of these requests.

{"command": {"push": 10.0}}      set commands, by name or as a list in the order of the specs
{"step": 1}                      lock-step: go on by so many periods; "command" may stand beside it
{"reset": true, "seed": 1}       back to the start; seed and changes of the scenario may stand beside it
{"snapshot": "name"}             keep where the machine is, under a name
{"restore": "name"}              go back to it
{"specs": true}                  names, units and limits
{"status": true}                 time, clock, overruns, clients
{"pause": true}                  stop or go on with the clock of real time
"""

import json
import math
from typing import Any

from taut.scenario.errors import suggest

REQUESTS = ("command", "step", "reset", "snapshot", "restore", "specs", "status", "pause", "token")
KEYS = (*REQUESTS, "seed", "changes")
MOST_BYTES = 65536  # largest size of a message [bytes]
MOST_STEPS = 100_000  # largest number of steps that one message may ask for
HTTP = ("GET ", "POST ", "PUT ", "HEAD ", "OPTIONS ", "DELETE ", "PATCH ", "CONNECT ")


class BadMessage(ValueError):
    """A message that cannot be followed; the text says why."""


def parse(text: str | bytes) -> dict[str, Any]:
    """The object in a message.

    Raises:
        BadMessage: it is no JSON object, has unknown keys, a number that is none, or several requests.
    """
    try:
        found = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BadMessage(f"is no JSON: {error}") from None
    if not isinstance(found, dict) or not found:
        raise BadMessage('must be an object such as {"command": {"push": 1.0}}')
    for key in found:
        if key not in KEYS:
            raise BadMessage(f"unknown key {key!r}: {suggest(key, list(KEYS))}")
    asked = [key for key in REQUESTS if key in found]
    if len(asked) > 1 and asked != ["command", "step"]:
        raise BadMessage(f"{' and '.join(asked)} in one message: send them one after the other")
    for key in ("seed", "changes"):
        if key in found and "reset" not in found:
            raise BadMessage(f"{key} goes with reset")
    for key in ("reset", "specs", "status"):
        if found.get(key, True) is not True:
            raise BadMessage(f"{key} must be true, not {found[key]!r}")
    return found


def _refuse_constant(text: str) -> float:
    raise BadMessage(f"{text} is no finite number")


def check_commands(value: Any, specs: tuple[Any, ...]) -> dict[str, float]:
    """Commands by name, each finite and within its limits."""
    known = {spec.name: spec for spec in specs}
    if isinstance(value, list):
        if len(value) != len(specs):
            raise BadMessage(f"command must have {len(specs)} numbers, not {len(value)}: {', '.join(known) or 'none'}")
        value = dict(zip(known, value, strict=True))
    if not isinstance(value, dict):
        raise BadMessage("command must be an object of names and numbers, or a list of numbers")
    for name, number in value.items():
        if name not in known:
            raise BadMessage(f"there is no command {name!r}: {suggest(name, list(known)) or 'the machine has none'}")
        if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
            raise BadMessage(f"{name} = {number!r} is no finite number")
        if not known[name].low <= number <= known[name].high:
            raise BadMessage(f"{name} = {number!r} is out of range: {known[name].low:g} to {known[name].high:g}")
    return {name: float(number) for name, number in value.items()}


def check_count(value: Any) -> int:
    """Check a number of steps."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_STEPS:
        raise BadMessage(f"step must be a whole number from 1 to {MOST_STEPS}, not {value!r}")
    return value
