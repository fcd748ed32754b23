"""Faults planted into the tables that the engine runs with; the audit judges by the true model."""

from collections.abc import Callable
from typing import Any

import numpy as np

from taut.model import Model
from taut.model.enums import EventKind, JointKind, LawKind, TermKind

NEVER = 1e9  # s
Plant = Callable[[dict[str, Any], Model], None]  # changes copies of the tables; the model says what is where


def scaled(table: str, column: str, factor: float, where: Callable[[Model], Any]) -> Plant:
    """A factor on one column of some rows."""

    def plant(tables: dict[str, Any], model: Model) -> None:
        tables[table][column][where(model)] *= factor

    return plant


def assigned(table: str, column: str, value: Any, where: Callable[[Model], Any]) -> Plant:
    """Another value in one column of some rows."""

    def plant(tables: dict[str, Any], model: Model) -> None:
        tables[table][column][where(model)] = value

    return plant


def added(table: str, column: str, value: Any, where: Callable[[Model], Any]) -> Plant:
    """Something added to one column of some rows."""

    def plant(tables: dict[str, Any], model: Model) -> None:
        rows = where(model)
        tables[table][column][rows] = tables[table][column][rows] + np.asarray(value)

    return plant


def body(name: str) -> Callable[[Model], Any]:
    """The node of a body."""
    return lambda model: model.names.bodies[name]


def node(name: str) -> Callable[[Model], Any]:
    """A node that is no body."""
    return lambda model: model.names.nodes.index(name)


def element(cable: str, number: int) -> Callable[[Model], Any]:
    """The stretching node of an element, counted from 0."""
    return lambda model: model.names.cables[cable][number]


def stretch(cable: str, number: int) -> Callable[[Model], Any]:
    """The column of an element's stretch."""
    return lambda model: model.tables.nodes["column"][model.names.cables[cable][number]]


def bend(cable: str, number: int) -> Callable[[Model], Any]:
    """The first column of an element's bend."""

    def find(model: Model) -> Any:
        nodes = model.tables.nodes
        return nodes["column"][nodes["parent"][model.names.cables[cable][number]]]

    return find


def column_of(name: str) -> Callable[[Model], Any]:
    """The first column of a body's joint."""
    return lambda model: model.tables.nodes["column"][model.names.bodies[name]]


def row(number: int) -> Callable[[Model], Any]:
    """A row by its number."""
    return lambda model: number


def every(model: Model) -> slice:
    """All rows."""
    return slice(None)


def closure(name: str) -> Callable[[Model], Any]:
    """A closure by its name."""
    return lambda model: model.names.closures.index(name)


def delayed(seconds: float, number: int | None = None) -> Plant:
    """Signals, or one of them, that come late."""

    def plant(tables: dict[str, Any], model: Model) -> None:
        for j in range(len(tables["signals"])) if number is None else (number,):
            for k in terms_of(tables, j):
                term = tables["terms"][k]
                if term.kind == TermKind.SINUSOID:
                    tables["terms"]["phase"][k] -= term.omega * seconds
                    continue
                pieces = slice(term.piece, term.piece + term.piece_count)
                for column in ("start", "mid"):
                    tables["pieces"][column][pieces] += seconds
                for column in ("start", "end"):
                    tables["terms"][column][k] += seconds

    return plant


def amplified(factor: float, number: int, about: float = 0.0) -> Plant:
    """A signal whose deviation from a value is multiplied."""

    def plant(tables: dict[str, Any], model: Model) -> None:
        for k in terms_of(tables, number):
            term = tables["terms"][k]
            tables["terms"]["amplitude"][k] *= factor
            if term.kind == TermKind.POLYNOMIAL:
                pieces = slice(term.piece, term.piece + term.piece_count)
                tables["pieces"]["coefficient"][pieces] *= factor
                tables["pieces"]["coefficient"][pieces, 0] += (1.0 - factor) * about

    return plant


def commands_amplified(factor: float) -> Plant:
    """The command that pays out the first tether acts by another factor than it should."""

    def plant(tables: dict[str, Any], model: Model) -> None:
        terms = np.array(terms_of(tables, int(tables["tethers"]["signal"][0])))
        tables["terms"]["amplitude"][terms[tables["terms"]["kind"][terms] == TermKind.COMMAND]] *= factor

    return plant


def terms_of(tables: dict[str, Any], signal: int) -> range:
    """The terms of a signal."""
    first = int(tables["signals"]["term"][signal])
    return range(first, first + int(tables["signals"]["term_count"][signal]))


def ignored(kind: EventKind) -> Plant:
    """The events of a kind never pass."""

    def plant(tables: dict[str, Any], model: Model) -> None:
        rows = tables["events"]["kind"] == kind
        tables["events"]["kind"][rows] = EventKind.SWITCH
        tables["events"]["level"][rows] = NEVER

    return plant


def switched_at(change: float) -> Plant:
    """Failures act later."""

    def plant(tables: dict[str, Any], model: Model) -> None:
        rows = tables["events"]["kind"] == EventKind.SWITCH
        tables["events"]["level"][rows] += change

    return plant


def tilted(table: str, column: str, angle: float, where: Callable[[Model], Any]) -> Plant:
    """An axis turned about z by a small angle."""

    def plant(tables: dict[str, Any], model: Model) -> None:
        x, y, z = tables[table][column][where(model)]
        c, s = np.cos(angle), np.sin(angle)
        tables[table][column][where(model)] = c * x - s * y, s * x + c * y, z

    return plant


def of_laws(column: str, value: Any, law: LawKind) -> Plant:
    """Another value for all columns with a law."""

    def plant(tables: dict[str, Any], model: Model) -> None:
        tables["columns"][column][model.tables.columns["law"] == law] = value

    return plant


def start_moved(tables: dict[str, Any], model: Model) -> None:
    """The free bodies start 1 mm higher than given."""
    for node in model.tables.nodes[model.tables.nodes["kind"] == JointKind.FREE]:
        tables["start_coordinates"][node.coordinate + 2] += 1e-3


def start_pushed(tables: dict[str, Any], model: Model) -> None:
    """The first velocity is 1 cm/s more than given."""
    tables["start_velocities"][0] += 1e-2
