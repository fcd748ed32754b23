"""A built model with other numbers.

A number is addressed as in the scenario: ``platform.mass``, ``cables.C1.length``, ``run.tolerance``. The changed model
is the one that a build of the changed scenario would give, bit for bit. Where only parts of the machine depend on the
numbers, those alone are built and written into copies of the tables (``parts.py``); all else is built anew.
"""

import threading
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from taut.build.again import with_run
from taut.build.build import build
from taut.build.parts import Parts, Uncovered
from taut.kernels.bundle import Bundle
from taut.model.model import Model
from taut.model.remembered import kept
from taut.scenario.changes import expanded, with_changes
from taut.scenario.errors import Problem, ScenarioError
from taut.scenario.scenario import Scenario

Structure = Literal["same", "any"]
preparing = threading.Lock()


def with_numbers(model: Model, changes: Mapping[str, Any], *, structure: Structure = "same") -> Model:
    """The model with other numbers, as if its scenario had said so.

    Args:
        model: a machine built from a scenario; it is left as it is.
        changes: values by address: the keys of the scenario with dots, entries of lists by name or number:
            ``{"platform.mass": 2.0, "cables.C1.length": 0.8, "platform.position[2]": 1.2, "run.tolerance": 1e-5}``;
            ``cables.*.radius`` is that of all cables.
        structure: ``same`` refuses changes after which the machine has other bodies, joints, constraints or events, so
            that states of one could not be those of the other; ``any`` builds such a machine.

    Raises:
        ScenarioError: no such address, a value that cannot stand there, or a structure that would be another.
    """
    if model.scenario is None:
        raise ScenarioError([Problem("a model without a scenario has no addresses of numbers")])
    if model.full is not None or model.points is not None or model.reduced:
        raise ScenarioError([Problem("a reduced machine belongs to its training: reduce the changed one")])
    changes = expanded(model.scenario, changes)
    scenario = with_changes(model.scenario, changes)
    machine = [address for address in changes if address.split(".")[0] != "run"]
    if machine:
        found = changed(model, scenario.model_copy(update={"run": model.scenario.run}), machine, structure)
    else:
        found = model
    # the machine does not depend on the run's settings, except for the time up to which signals are tabulated
    return with_run(found, {key: getattr(scenario.run, key) for key in type(scenario.run).model_fields})


def changed(model: Model, scenario: Scenario, addresses: list[str], structure: Structure) -> Model:
    """The model of a scenario that differs at some addresses."""
    parts = parts_of(model, addresses)
    if parts is not None:
        try:
            found = parts.model(scenario)
        except Uncovered:
            parts = None
        else:
            # which tables depend on a number is not proved but tried: the first result for each set of addresses is
            # compared
            if parts.is_checked:
                return found
            anew = build(scenario)
            parts.is_checked = is_same(found, anew)
            if parts.is_checked:
                return anew
            kept(model)["parts"][frozenset(addresses)] = None
    anew = build(scenario)
    if structure == "same":
        check_structure(model, anew, addresses)
    return anew


def parts_of(model: Model, addresses: list[str]) -> Parts | None:
    """The parts of the machine that depend on numbers at some addresses; None if that is not known."""
    with preparing:
        known: dict[frozenset[str], Parts | None] = kept(model).setdefault("parts", {})
        key = frozenset(addresses)
        if key not in known:
            try:
                known[key] = Parts(model, addresses)
            except Uncovered:
                known[key] = None
        return known[key]


def is_same(model: Model, other: Model) -> bool:
    """Whether two models are equal bit for bit, plans aside."""
    return (model.names == other.names and model.breakpoints == other.breakpoints
            and model.tables._numba_type_ is other.tables._numba_type_ and model.digest() == other.digest()
            and all(np.shape(a) == np.shape(b) for a, b in zip(model.tables, other.tables, strict=True)
                    if not isinstance(a, Bundle)))  # fmt: skip


def check_structure(model: Model, found: Model, addresses: list[str]) -> None:
    """Refuse a machine of another structure."""
    other = difference(model, found)
    if other:
        message = f"changes the structure of the machine ({other}), not only numbers"
        remedy = "build it anew: taut.with_numbers(..., structure='any')"
        raise ScenarioError([Problem(message, ", ".join(addresses), remedy=remedy)])


def difference(model: Model, other: Model) -> str:
    """In what the structures of two machines differ, in a word or two; empty if states of one fit the other."""
    for name in ("bodies", "cables", "columns", "rows", "events", "drives", "guides", "spans"):
        if list(getattr(model.names, name)) != list(getattr(other.names, name)):
            return name
    if model.tables._numba_type_ is not other.tables._numba_type_:
        return "kinds of parts"
    pairs = zip(model.tables._fields, model.tables, other.tables, strict=True)
    # tables of signals may differ in size: they have as many rows as the curves have pieces
    free = ("terms", "pieces", "paces")
    sizes = [name for name, a, b in pairs if not isinstance(a, Bundle) and name not in free and a.shape != b.shape]
    if len(model.start_states) != len(other.start_states):
        sizes.append("states")
    return sizes[0] if sizes else ""
