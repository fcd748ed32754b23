"""A machine in a few numbers, for ``taut check``."""

from dataclasses import asdict
from typing import Any

import numpy as np

from taut.integrate.reach import SLACK, joint_ranges
from taut.integrate.start.given import moved_texts
from taut.integrate.start.start_state import Start
from taut.model import Model
from taut.model.enums import JointKind

MOST_STRAIN = 0.1  # strain of an element at the start above which a warning is given


def describe(model: Model, start: Start) -> dict[str, Any]:
    """Plain data: sub-systems, coordinates, constraints, redundancy, closure, warnings."""
    subsystems = model.tables.subsystems
    bodies = {name: float(model.tables.nodes[node].mass) for name, node in model.names.bodies.items()}
    names = [name.split(".")[0] for name in model.names.subsystems]
    return {
        "bodies": [{"name": name, "mass": mass} for name, mass in bodies.items()],
        "cables": [{"name": name, **made_of(model, nodes)} for name, nodes in model.names.cables.items()],
        "subsystems": [
            {"name": name, "nodes": int(s.node_count), "coordinates": int(s.column_count), "rows": int(s.row_count)}
            for name, s in zip(names, subsystems, strict=True)
        ],
        "coordinates": model.column_count,
        **constraint_counts(model, start),
        "redundant_rows": list(start.redundant),
        "breakpoints": list(model.breakpoints),
        "closure_error_given": start.given_error,
        "closure_error": start.error,
        "closure_iterations": start.iterations,
        "moved": [asdict(moved) for moved in start.moved],
        "warnings": start_warnings(model, start),
    }


def constraint_counts(model: Model, start: Start) -> dict[str, int]:
    """Rows of loops, those independent, and degrees of freedom; rows of contacts count apart, as they come and go."""
    ground = {name for name in model.names.closures if name == "ground" or name.startswith("ground.corner")}
    # closures of the user's that are called so act in both directions
    ground -= {name for name, closure in zip(model.names.closures, model.tables.closures, strict=True)
               if not closure["is_unilateral"]}  # fmt: skip
    touching = {row for row in model.names.rows if row.rpartition(".")[0] in ground}
    loops = model.row_count - len(touching)
    # where only contacts repeat each other, all rows of loops are independent
    rank = loops if touching.issuperset(start.redundant) else min(start.rank, loops)
    return {"constraints": loops, "independent_constraints": rank, "contacts": len(touching),
            "degrees_of_freedom": model.column_count - rank}  # fmt: skip


def start_warnings(model: Model, start: Start) -> list[str]:
    """Warnings about a start state that is allowed but looks odd."""
    warnings = [*model.plan.warnings, *moved_texts(start.moved), *strained(model, start), *out_of_range(model, start)]
    if start.redundant:
        count = model.row_count - start.rank
        rows = ", ".join(start.redundant)
        warnings.append(f"{count} of {model.row_count} constraint rows are redundant; the self-stress involves {rows}: "
                        "their forces are the least-squares choice")  # fmt: skip
    return warnings


def strained(model: Model, start: Start) -> list[str]:
    """Warnings about cables whose elements are strained beyond MOST_STRAIN at the start."""
    found = []
    columns, nodes = (table.view(np.ndarray) for table in (model.tables.columns, model.tables.nodes))
    for name, chain in model.names.cables.items():
        rows = nodes[list(chain)]
        at = columns[rows["column"][(rows["column_count"] == 1) & (rows["feed"] < 0)]]
        at = at[at["free"] > 0.0]
        strain = float((start.data.q[at["coordinate"]] / at["free"] - 1.0).max(initial=0.0))
        if strain > MOST_STRAIN:
            found.append(f"cable {name}: an element is stretched by {100 * strain:.0f} % at the start; ropes "
                         "break at a few per cent: check its stiffness and the load")  # fmt: skip
    return found


def out_of_range(model: Model, start: Start) -> list[str]:
    """Joints that start outside of their range, which runs do not keep."""
    return [f"{key} = [{low:g}, {high:g}]: the joint starts at {start.data.q[k]:.6g}, outside of it; runs let "
            "joints go anywhere, and kinematic analyses refuse such a pose"
            for key, k, low, high in joint_ranges(model)
            if not low - SLACK <= start.data.q[k] <= high + SLACK]  # fmt: skip


def made_of(model: Model, nodes: tuple[int, ...]) -> dict[str, int]:
    """How a cable is divided: in elements, in modes, or, without mass, not at all."""
    if nodes and model.tables.nodes[nodes[0]].kind == JointKind.RITZ:
        row = model.tables.ritz[int(model.tables.nodes[nodes[0]].modal)]
        return {"elements": 0, "modes": int(row.modes), "lateral_modes": int(row.lateral)}
    return {"elements": len(nodes)}
