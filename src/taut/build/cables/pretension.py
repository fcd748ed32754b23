"""Tensions at the start: unstrained lengths of cables that stretch, so that each has the tension that is asked for.

With ``initial.pretension`` p the free bodies stay where they are given: of all tensions T that carry their weights,
W T = w, those nearest to p are taken,
    T = p + W^+ (w - W p)                                                                                      (1)
where a column of W is the load of a unit tension on all free bodies. A cable of the way D and the stiffness EA then has
the unstrained length D / (1 + T/EA).
"""

from typing import Any

import numpy as np

from taut.build.cables.begin import Begin
from taut.build.context import Context
from taut.model.routes import Stop, gradients

BALANCED = 1e-9  # largest unbalanced force that pretensions may leave, relative to the weight


def pretensioned(context: Context, begins: list[Begin]) -> list[Begin]:
    """The starts of all cables, with adapted lengths where a tension is asked for."""
    cables: tuple[Any, ...] = context.scenario.cables
    found = list(begins)
    shared = context.scenario.initial.pretension
    chosen = [i for i, cable in enumerate(cables) if cable.kind in ("spring", "mrfe") and (cable.pretension or shared)]
    if not chosen:
        return found
    wanted = np.array([cables[i].pretension or shared for i in chosen])
    tensions = balanced(context, [(cables[i], begins[i]) for i in chosen], wanted) if shared is not None else wanted
    for i, tension in zip(chosen, tensions, strict=True):
        check(context, i, cables[i], float(tension))
        laid = begins[i].laid
        way = laid.length if laid is not None else float(np.linalg.norm(begins[i].chord))
        found[i] = begins[i]._replace(length=way / (1.0 + float(tension) / cables[i].axial_rigidity(way)))
    return found


def check(context: Context, i: int, cable: Any, tension: float) -> None:
    """A cable pulls, and its length is free to adapt."""
    winch = context.scenario.drivers.get(cable.winch or "")
    if cable.length is not None or getattr(winch, "length", None) is not None:
        key = f"cables[{i}].length" if cable.length is not None else f"drivers.{cable.winch}.length"
        message, remedy = "a pretension adapts the length of this cable", "give no length, or a winch with payout"
        raise context.scenario.error(key, message, remedy=remedy)
    if tension < 0.0:
        message = f"{cable.name} would have to push with {-tension:.4g} N to hold the machine where it is given"
        raise context.scenario.error("initial.pretension", message, value=context.scenario.initial.pretension,
                                     remedy="give a larger pretension, or another pose")  # fmt: skip


def balanced(context: Context, cables: list[tuple[Any, Begin]], wanted: np.ndarray) -> np.ndarray:
    """Eq. (1)."""
    bodies = [name for name, body in context.scenario.all_bodies().items() if body.joint.kind == "free"]
    loads = [[load_on(context, cable, begin, name) for name in bodies] for cable, begin in cables]
    W = np.array([np.concatenate(parts) if parts else np.zeros(0) for parts in loads]).T
    gravity, weights = np.array(context.scenario.gravity), []
    for name in bodies:
        body = context.tree.nodes[context.handles[name]].body
        R, _ = context.placement(name)
        weights.append(np.concatenate([body.mass * gravity, np.cross(R @ np.array(body.com), body.mass * gravity)]))
    w = -np.concatenate(weights) if weights else np.zeros(0)
    if not len(w):
        return wanted
    tensions = wanted + np.linalg.pinv(W, rcond=1e-10) @ (w - W @ wanted)
    left = float(np.abs(W @ tensions - w).max())
    if left > BALANCED * max(float(np.abs(w).max()), 1.0):
        message = f"these cables cannot hold the machine where it is given: {left:.4g} N or N m are left"
        raise context.scenario.error("initial.pretension", message, value=context.scenario.initial.pretension,
                                     remedy="give another pose, or initial: {solve: equilibrium}")  # fmt: skip
    return tensions


def load_on(context: Context, cable: Any, begin: Begin, body: str) -> np.ndarray:
    """Force and moment about its origin of a unit tension on a body, world axes."""
    names = [cable.exit_body, *(guide.body for guide in cable.via), cable.body]
    anchor = context.to_world(cable.body, cable.anchor)
    stops = begin.laid.stops if begin.laid is not None else [Stop((anchor - begin.chord)[None]), Stop(anchor[None])]
    forces, couples = gradients(stops)
    _, x = context.placement(body)
    total = np.zeros(6)
    for name, stop, f, m in zip(names, stops, forces[:, 0], couples[:, 0], strict=True):
        if name == body:
            total += np.concatenate([f, m + np.cross(stop.point[0] - x, f)])
    return total
