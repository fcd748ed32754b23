"""A user's own controller: a Python function (t, measurements) -> commands."""

import math
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from taut.scenario.errors import Problem, ScenarioError, suggest

UserFunction = Callable[[float, dict[str, Any]], Mapping[str, float] | None]


class PythonFunction:
    """The user's function, with its answers checked."""

    def __init__(self, name: str, function: UserFunction, outputs: tuple[str, ...]) -> None:
        """Keep the function and the commands it may set."""
        self.name, self.function, self.outputs = name, function, outputs

    def __call__(self, time: float, measured: Mapping[str, Any]) -> dict[str, float]:
        """Commands of the function at a sample; commands it leaves out keep their values."""
        try:
            answer = self.function(time, dict(measured))
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            text = (
                f"failed at t = {time:.9g} s: {type(error).__name__}: {error} ({place.filename}, line {place.lineno})"
            )
            raise self._error(text) from error
        if answer is None:
            return {}
        if not isinstance(answer, Mapping):
            raise self._error(f"must return a mapping of commands, not {type(answer).__name__}", "{'command': value}")
        return {str(key): self._number(key, value, time) for key, value in answer.items()}

    def _number(self, key: Any, value: Any, time: float) -> float:
        if key not in self.outputs:
            raise self._error(f"sets {key!r}, which is no command of it", suggest(str(key), list(self.outputs)))
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = math.nan
        if not math.isfinite(number):
            raise self._error(f"sets {key} to {value!r} at t = {time:.9g} s, which is no finite number")
        return number

    def _error(self, message: str, remedy: str = "") -> ScenarioError:
        return ScenarioError([Problem(message, f"controllers.{self.name}", remedy=remedy)])


def function_from(name: str, code: str, function: str) -> UserFunction:
    """The function that a piece of source code defines."""
    path = f"controllers.{name}.code"
    space: dict[str, Any] = {"__name__": f"controller_{name}"}
    try:
        exec(compile(code, f"<{path}>", "exec"), space)  # noqa: S102 (the user's own program)
    except Exception as error:
        line = getattr(error, "lineno", None) or traceback.extract_tb(error.__traceback__)[-1].lineno
        text = f"does not run: {type(error).__name__}: {error} (line {line})"
        raise ScenarioError([Problem(text, path)]) from error
    if not callable(space.get(function)):
        raise ScenarioError([Problem(f"defines no function {function}(t, measurements)", path)])
    return space[function]
