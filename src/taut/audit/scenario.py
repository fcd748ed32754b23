"""The tables of a model and the start of a run, compared with the scenario."""

from typing import Any

import numpy as np

from taut.audit.rows import rows_of
from taut.audit.twin.signals import term_values
from taut.model import Model
from taut.model.enums import LawKind, TermKind
from taut.model.remembered import remembered

Arrays = dict[str, np.ndarray]  # channels by name
LIMIT = 1e-9  # allowed difference of a number of the model from that of the scenario, relative
SIGNAL_LIMIT = 1e-6  # allowed difference of a signal, relative to its largest value at the compared times
RITZ_NUMBERS = {"line_density": "mass_per_length", "tension": "reference_tension"} | {
    key: key
    for key in ("axial_stiffness", "turn_stiffness", "turn_inertia", "coupling")
    + ("axial_damping", "lateral_damping", "turn_damping")
}  # columns of the table and keys of the scenario
# allowed difference of the start state [m, rad, or per second], times the size of machines larger than 1 m
START_LIMIT = 1e-6


def start_line(
    model: Model, arrays: Arrays, errors: np.ndarray, size: float, begin: tuple[np.ndarray, np.ndarray] | None = None
) -> dict[str, Any] | None:
    """Whether the run starts where the scenario says, if the loops are closed there; or with the state asked for.

    ``errors`` are those of the closures at the given start [order, 1, row].
    """
    if begin is not None:
        return _as_given(arrays, begin, {"opened": 0.0, "limit": START_LIMIT * max(size, 1.0)})
    solve = getattr(getattr(model.scenario, "initial", None), "solve", None)
    if "joint_position" not in arrays or model.scenario is None or solve == "equilibrium":
        return None
    limit = START_LIMIT * max(size, 1.0)
    opened = float(np.abs(errors[:2]).max(initial=0.0))
    given, line = (model.start_coordinates, model.start_velocities), {"opened": opened, "limit": limit}
    judged = _as_given(arrays, given, line)
    if not opened <= limit or has_holds(model):
        return judged | {"verdict": "note"}
    return judged


def _as_given(arrays: Arrays, given: tuple[np.ndarray, np.ndarray], line: dict[str, Any]) -> dict[str, Any]:
    """How far the first sample is from the coordinates and velocities that were given."""
    moved = float(np.abs(arrays["joint_position"][0] - given[0]).max(initial=0.0))
    faster = float(np.abs(arrays["joint_velocity"][0] - given[1]).max(initial=0.0))
    line = {"moved": moved, "faster": faster, **line}
    if moved <= line["limit"] and faster <= line["limit"]:
        return {"verdict": "pass", **line}
    reason = f"the run does not start as given: coordinates differ by {moved:.3g}, velocities by {faster:.3g}"
    return {"verdict": "fail", "reason": reason, **line}


def has_holds(model: Model) -> bool:
    """Whether closures strike or open: a start may have to settle first."""
    return bool(model.tables.settings[0].has_holds)


def build_line(model: Model, time: np.ndarray) -> dict[str, Any] | None:
    """Masses, stiffnesses, gravity and signals of the tables against the scenario's."""
    if model.scenario is None:
        return None
    compared, wrong = remembered(model, "numbers", wrong_numbers)
    wrong = list(wrong)
    for name, miss in missed_signals(model, time):
        compared += 1
        if not miss <= SIGNAL_LIMIT:
            wrong.append(f"{name} is off by {miss:.3g} of its largest value")
    line = {"compared": compared, "limit": LIMIT}
    if not wrong:
        return {"verdict": "pass", **line}
    return {"verdict": "fail", "reason": f"the model is not the scenario's: {wrong[0]}", "wrong": wrong, **line}


def wrong_numbers(model: Model) -> tuple[int, list[str]]:
    """How many numbers are compared, and which of them differ from the scenario's."""
    compared, wrong = 0, []
    for name, found, expected in compared_numbers(model):
        compared += 1
        miss = np.abs(np.asarray(found) - expected).max()
        if not miss <= LIMIT * max(np.abs(expected).max(), 1e-12):
            wrong.append(f"{name} is {np.round(found, 9)}, not {np.round(expected, 9)}")
    return compared, wrong


def compared_numbers(model: Model) -> Any:
    """Names, values of the tables and values of the scenario."""
    for part in (bodies, cables, ritz_cables, tethers, world):
        yield from part(model)


def world(model: Model) -> Any:
    """Gravity in the model's tables and in the scenario [m/s^2]."""
    yield "gravity", model.tables.settings[0].gravity, np.array(model.scenario.gravity, float)


def bodies(model: Model) -> Any:
    """Mass and inertia of the bodies that the scenario names."""
    known = model.scenario.all_bodies()
    rows = rows_of(model.tables.nodes[list(model.names.bodies.values())])
    for name, row in zip(model.names.bodies, rows, strict=True):
        body = known.get(name)
        if body is None or row.is_fed:
            continue
        mass, com, inertia = body.mass_properties()
        yield f"mass of {name}", np.array([row.mass]), np.array([mass])
        yield f"centre of mass of {name}", row.com, np.asarray(com, float)
        yield f"inertia of {name}", row.inertia, np.asarray(inertia)[np.triu_indices(3)]


def cables(model: Model) -> Any:
    """Mass, EA and eta A of cables of elements, and of the rope behind a pulley."""
    tables = model.tables
    known = {cable.name: cable for cable in model.scenario.cables}
    for name, chain in model.names.cables.items():
        cable = known.get(name)
        if cable is None or cable.kind != "mrfe" or not chain:
            continue
        nodes, columns = tables.nodes[list(chain)], tables.columns[tables.nodes["column"][list(chain)]]
        if np.any(columns["law"] == LawKind.NONE):
            continue
        length = float(columns["free"].sum())
        section = cable.section(length)
        links = tables.nodes["mass"][[*chain, *nodes["parent"]]]
        yield f"mass of {name}", links.sum(), np.array([section.mass_per_length * length])
        if np.isin(columns["law"], (LawKind.LINEAR, LawKind.BILINEAR)).all():
            yield f"EA of {name}", columns["stiffness"] * columns["free"], np.full(len(chain), section.axial_stiffness)
            yield f"eta A of {name}", columns["damping"] * columns["free"], np.full(len(chain), section.axial_damping)
        behind = model.names.tethers.get(f"{name}.rope")
        if behind is not None:
            row = tables.tethers[behind]
            section = cable.section(length + float(row.length))
            yield f"EA behind {name}", row.stiffness, np.array([section.axial_stiffness])
            yield f"eta A behind {name}", row.damping, np.array([section.axial_damping])


def ritz_cables(model: Model) -> Any:
    """Exit, mass, stiffnesses and dampings of cables of assumed modes."""
    known = {cable.name: cable for cable in model.scenario.cables if cable.kind == "ritz"}
    for name in known.keys() & model.names.cables.keys():
        cable, node = known[name], model.tables.nodes[model.names.cables[name][0]]
        row = model.tables.ritz[int(node.modal)]
        yield f"exit of {name}", np.array([row.start, node.offset]), np.array([cable.exit, cable.exit], float)
        for column, key in RITZ_NUMBERS.items():
            value = getattr(cable, key)
            # None: no torsion, or a tension that is computed from the load
            if value is not None:
                yield f"{key} of {name}", row[column], np.array([value], float)


def tethers(model: Model) -> Any:
    """EA and eta A of cables without mass."""
    known = {cable.name: cable for cable in model.scenario.cables if cable.kind == "spring"}
    for name in known.keys() & model.names.routes.keys():
        rows = model.tables.tethers[np.isin(model.tables.tethers["route"], model.names.routes[name])]
        rigidity = known[name].axial_rigidity(float(rows["length"].sum()))
        yield f"EA of {name}", rows["stiffness"], np.full(len(rows), rigidity)
        yield f"eta A of {name}", rows["damping"], np.full(len(rows), known[name].axial_viscosity())


def missed_signals(model: Model, time: np.ndarray) -> list[tuple[str, float]]:
    """How far the fitted signals are off; runs of one model often have the same samples."""
    last = remembered(model, "last signals", lambda _: [(np.zeros(0), [])])
    known, found = last[0]
    if not len(time) or not np.array_equal(known, time):
        found = list(signals(model, time))
        last[0] = np.array(time), found
    return found


def signals(model: Model, time: np.ndarray) -> Any:
    """The fitted signals against the curves they were made of."""
    tables = model.tables
    # leave out times near breakpoints, where left and right limits differ
    at = time[np.min(np.abs(time[:, None] - np.array([*model.breakpoints, np.inf])), axis=1) > 1e-6]
    for k, signal in enumerate(rows_of(tables.signals)):
        terms = tables.terms[signal.term : signal.term + signal.term_count]
        curve = model.curves[k] if k < len(model.curves) else None
        if curve is None or np.any(terms["kind"] == TermKind.COMMAND) or not len(time):
            continue
        expected = np.broadcast_to(curve.evaluate(at)[0], at.shape)
        found = sum(term_values(tables, term, at, np.zeros((len(at), 0, 0)))[:, 0] for term in rows_of(terms))
        size = max(float(np.abs(expected).max(initial=0.0)), 1e-9)
        yield f"signal {k}", float(np.abs(found - expected).max(initial=0.0)) / size
