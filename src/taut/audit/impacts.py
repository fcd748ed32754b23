"""Impacts of one-sided closures against the restitution of the scenario, and on rigid ground against its friction."""

from typing import Any

import numpy as np

from taut.model import Model

SLOW = 1e-3  # impacts slower than this do not rebound [m/s]
# allowed error of the rate after an impact relative to that before, or of a friction impulse relative to its limit
LIMIT = 1e-6
SLIDES = 1e-6  # a point that slides faster than this after an impact must have its largest friction impulse [m/s]
SMOOTH = "{} impacts on the ground are without friction: with it and the restitution they would have given energy"


def impact_line(model: Model, struck: np.ndarray) -> dict[str, Any] | None:
    """Newton's law of impact: a pushed closure parts at the restitution times its closing rate."""
    if not len(struck):
        return None
    time, number, before, after, impulse = struck[:, :5].T
    restitution = np.where(before < -SLOW, model.tables.closures["restitution"][number.astype(int)], 0.0)
    scale = np.maximum(np.abs(before), SLOW)
    # a closure without an impulse may open at any rate, but must not close
    miss = np.where(impulse > 0.0, np.abs(after + restitution * before), np.maximum(-after, 0.0)) / scale
    worst = int(np.argmax(np.where(np.isfinite(miss), miss, np.inf)))
    line = {"count": len(struck), "max": float(miss[worst]), "time": float(time[worst]), "limit": LIMIT}
    if miss[worst] <= LIMIT and np.all(impulse >= 0.0):
        return rubbing(model, struck, restitution, line)
    name = model.names.closures[int(number[worst])]
    reason = (
        f"{name} parts at {after[worst]:.6g} m/s after an impact at {-before[worst]:.6g} m/s at t = {time[worst]:.6g} s"
    )
    return {"verdict": "fail", "reason": f"{reason}: not its restitution", **line}


def rubbing(model: Model, struck: np.ndarray, restitution: np.ndarray, line: dict[str, Any]) -> dict[str, Any]:
    """Coulomb's law of impulses: at most mu times the normal impulse, and all of that against continued sliding.

    Impacts with a rebound may be solved without friction; without a rebound friction cannot add energy.
    """
    contacts = model.tables.contacts[model.tables.contacts["drag"] >= 0]
    friction = dict(zip(contacts["row"].tolist(), contacts["friction"].tolist(), strict=True))
    smooth = 0
    for time, number, _, _, impulse, *along in struck:
        P, u = np.array(along[:2]), np.array(along[2:])
        most = friction.get(int(model.tables.closures["row"][int(number)]), 0.0) * impulse
        speed, name = float(np.linalg.norm(u)), model.names.closures[int(number)]
        off = np.linalg.norm(P + most * u / speed) if speed > SLIDES else max(np.linalg.norm(P) - most, 0.0)
        if off > LIMIT * most and not P.any() and restitution[struck[:, 0] == time].any():
            smooth += 1
        elif not off <= LIMIT * most:
            reason = (
                f"{name} was rubbed by {np.linalg.norm(P):.6g} N s at t = {time:.6g} s, not by friction's {most:.6g}"
            )
            return {"verdict": "fail", "reason": reason, **line}
    return {"verdict": "warn", "reason": SMOOTH.format(smooth), **line} if smooth else {"verdict": "pass", **line}
