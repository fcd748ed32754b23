"""Expressions of time: a small language, read by a whitelist over Python's syntax tree, never run by Python.

Allowed: numbers, t, pi, e, names of signals, + - * / **, unary + -, and the functions below. `where(c, a, b)` is a
for c >= 0, else b; `step(x)` and `heaviside(x)` are 1 for x >= 0, else 0; `smoothstep(x)` is 0, 3 x^2 - 2 x^3, 1. Every
function that changes its formula somewhere reports a switch s(t): the formula changes where s changes its sign.
"""

import ast
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.scenario.errors import Problem, ScenarioError, suggest

from . import jets
from .jets import Jet

LONGEST = 2000
DEEPEST = 200
LARGEST_POWER = 100
LARGEST = 1e30
CONSTANTS = {"pi": math.pi, "e": math.e}
OPERATORS: dict[type, Callable[[Jet, Jet], Jet]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}


class SignalError(ScenarioError):
    """A signal cannot be understood or evaluated."""

    def __init__(self, message: str, remedy: str = "") -> None:
        """Keep the message; the caller that knows the key path adds it."""
        super().__init__([Problem(message, remedy=remedy)])
        self.message, self.remedy = message, remedy

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle message and remedy."""
        return (type(self), (self.message, self.remedy))


@dataclass
class Sides:
    """Decides the branches while an expression is evaluated, and records the switching functions.

    Attributes:
        frozen: the last time of each row decides for the whole row, so that a piece between two switches is one
            formula up to its ends.
        seen: the switching functions met, in order.
    """

    frozen: bool = False
    seen: list[Jet] = field(default_factory=list)

    def positive(self, s: Jet) -> np.ndarray:
        """Return where s >= 0."""
        self.seen.append(s)
        return np.broadcast_to(s.v[..., -1:] >= 0, s.v.shape) if self.frozen else s.v >= 0


def _smooth(name: str) -> Callable[..., Jet]:
    function = getattr(jets, name)
    return lambda w, x: function(x)


def _minimum(w: Sides, *xs: Jet) -> Jet:
    least = xs[0]
    for x in xs[1:]:
        least = jets.where(w.positive(x - least), least, x)
    return least


def _smoothstep(w: Sides, x: Jet) -> Jet:
    zero, one = jets.constant(0.0, x.v), jets.constant(1.0, x.v)
    blend = jets.chain(x, x.v**2 * (3 - 2 * x.v), 6 * x.v * (1 - x.v), 6 - 12 * x.v)
    return jets.where(w.positive(x), jets.where(w.positive(x - one), one, blend), zero)


def _step(w: Sides, x: Jet) -> Jet:
    return jets.where(w.positive(x), jets.constant(1.0, x.v), jets.constant(0.0, x.v))


FUNCTIONS: dict[str, tuple[int, Callable[..., Jet]]] = {
    **{name: (1, _smooth(name)) for name in
       ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt")},
    "abs": (1, lambda w, x: jets.where(w.positive(x), x, -x)),
    "sign": (1, lambda w, x: jets.where(w.positive(x), jets.constant(1.0, x.v), jets.constant(-1.0, x.v))),
    "step": (1, _step),
    "heaviside": (1, _step),
    "smoothstep": (1, _smoothstep),
    "where": (3, lambda w, c, a, b: jets.where(w.positive(c), a, b)),
    "min": (-2, _minimum),
    "max": (-2, lambda w, *xs: -_minimum(w, *(-x for x in xs))),
}  # fmt: skip
WORDS = [*CONSTANTS, *FUNCTIONS, "t"]


@dataclass(frozen=True)
class Expression:
    """A parsed expression; `names` are the signals it refers to."""

    text: str
    tree: ast.expr
    names: tuple[str, ...]

    def evaluate(self, t: np.ndarray, signals: Mapping[str, Any], sides: Sides) -> Jet:
        """Return the jet at times t [s], shape [..., n]; `signals` are the curves of the names."""
        with np.errstate(all="ignore"):
            known = {name: Jet(*signals[name].evaluate(t, frozen=sides.frozen)) for name in self.names}
            return _value(self.tree, t, {**known, "t": jets.time(t)}, sides)


def parse(text: str, known: list[str]) -> Expression:
    """Return the expression, or raise SignalError with what is wrong and what is allowed."""
    if len(text) > LONGEST:
        raise SignalError(f"expression is longer than {LONGEST} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise SignalError("is not a valid expression", f"{getattr(error, 'msg', 'too deeply nested')}") from None
    names: dict[str, None] = {}
    _check(tree, known, names, 0)
    return Expression(text, tree, tuple(names))


def _check(node: ast.AST, known: list[str], names: dict[str, None], depth: int) -> None:
    """Refuse every construction that is not in the language."""
    if depth > DEEPEST:
        raise SignalError(f"expression is nested deeper than {DEEPEST} levels")
    match node:
        case ast.Constant(value=bool() | None) | ast.Constant(value=str() | bytes() | complex()):
            raise SignalError("only numbers are allowed in an expression", f"found {ast.unparse(node)[:40]}")
        case ast.Constant(value=int() | float() as value):
            if not abs(value) <= LARGEST:
                raise SignalError(f"numbers in an expression must be between -{LARGEST:g} and {LARGEST:g}")
        case ast.Name(id=name):
            _check_name(name, known, names)
        case ast.UnaryOp(op=ast.UAdd() | ast.USub(), operand=operand):
            _check(operand, known, names, depth + 1)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.Pow(), right=right):
            _check(left, known, names, depth + 1)
            _check(right, known, names, depth + 1)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            _check_call(name, len(args))
            for argument in args:
                _check(argument, known, names, depth + 1)
        case _:
            raise SignalError(f"{type(node).__name__} is not allowed in an expression",
                              "allowed: numbers, t, pi, e, names of signals, + - * / ** and functions")  # fmt: skip


def _check_name(name: str, known: list[str], names: dict[str, None]) -> None:
    if name == "t" or name in CONSTANTS:
        return
    if name not in known:
        raise SignalError(f"unknown name '{name}'", suggest(name, [*known, *WORDS]))
    names[name] = None


def _check_call(name: str, count: int) -> None:
    if name not in FUNCTIONS:
        raise SignalError(f"unknown function '{name}'", suggest(name, list(FUNCTIONS)))
    wanted = FUNCTIONS[name][0]
    if count != wanted if wanted > 0 else count < -wanted:
        raise SignalError(f"{name} takes {abs(wanted)}{' or more' if wanted < 0 else ''} arguments, not {count}")


def _value(node: ast.AST, t: np.ndarray, known: Mapping[str, Jet], sides: Sides) -> Jet:
    match node:
        case ast.Constant(value=value):
            return jets.constant(float(value), t)  # type: ignore[arg-type]
        case ast.Name(id=name):
            return jets.constant(CONSTANTS[name], t) if name in CONSTANTS else known[name]
        case ast.UnaryOp(op=op, operand=operand):
            value = _value(operand, t, known, sides)
            return -value if isinstance(op, ast.USub) else value
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _value(left, t, known, sides), _value(right, t, known, sides)
            return _power(a, b) if isinstance(op, ast.Pow) else OPERATORS[type(op)](a, b)
        case ast.Call(func=ast.Name(id=name), args=args):
            return FUNCTIONS[name][1](sides, *(_value(argument, t, known, sides) for argument in args))
    raise AssertionError(node)


def _power(base: Jet, exponent: Jet) -> Jet:
    """Return base^exponent; a varying exponent goes through the logarithm."""
    if np.any(np.abs(exponent.v) > LARGEST_POWER):
        raise SignalError(f"exponents must stay between -{LARGEST_POWER} and {LARGEST_POWER}")
    if exponent.is_constant() and np.all(exponent.v == exponent.v.flat[0]):
        return jets.power(base, float(exponent.v.flat[0]))
    return jets.exp(exponent * jets.log(base))
