"""The few numbers that a reader of a report looks for first."""

from typing import Any

import numpy as np

from taut.results.result import Result
from taut.views.scene.said import read_said

GONE = ("is cut", "breaks")  # what events say of cables that no longer hold
Number = tuple[str, str]  # a value with its unit, and what it is


def key_numbers(result: Result) -> list[Number]:
    """Key numbers of a run and its outcome, each as a value and a label, as far as the result has them."""
    return [*_run(result), *_motion(result), *_cables(result.audit, result.events), *_accuracy(result.audit)]


def _run(result: Result) -> list[Number]:
    time, attrs, steps = result.time, result.dataset.attrs, result.audit.get("steps", {})
    found = [(f"{time[-1] - time[0]:.6g} s" if len(time) else "none", f"simulated, {len(time)} samples")]
    if steps.get("accepted"):
        found.append(
            (f"{steps['accepted']}", f"steps of {attrs.get('method', '')}, {steps.get('rejected', 0)} rejected")
        )
    if "tolerance" in attrs:
        found.append((f"{float(attrs['tolerance']):g}", "tolerance"))
    return found


def _motion(result: Result) -> list[Number]:
    """Travel, and largest speed and acceleration, of the platform or the last body."""
    if "body_position" not in result or not len(result.time):
        return []
    body = shown_body([str(name) for name in result.dataset["body"].values], read_said(result))
    place = result["body_position"].sel(body=body).values
    travel = float(np.nansum(np.linalg.norm(np.diff(place, axis=0), axis=1)))
    found = [(f"{travel:.4g} m", f"travelled by {body}")]
    for name, unit, what in (("body_velocity", "m/s", "speed"), ("body_acceleration", "m/s²", "acceleration")):
        if name in result:
            size = np.linalg.norm(result[name].sel(body=body).values, axis=1)
            if np.isfinite(size).any():
                k = int(np.nanargmax(size))
                found.append((f"{size[k]:.4g} {unit}", f"largest {what} of {body}, t = {result.time[k]:.4g} s"))
    return found


def shown_body(bodies: list[str], said: dict[str, Any]) -> str:
    """The platform, or the last body that is no driver: the load hangs below what carries it."""
    if "platform" in bodies:
        return "platform"
    drivers = said.get("drivers")
    loads = [name for name in bodies if not isinstance(drivers, dict) or name.partition(".")[0] not in drivers]
    return (loads or bodies)[-1]


def _cables(audit: dict[str, Any], events: list[dict[str, Any]]) -> list[Number]:
    cables = [cable for cable in audit.get("tension", {}).get("cables", []) if "max" in cable]
    if not cables:
        return []
    high = max(cables, key=lambda cable: cable["max"])
    # a cable that is gone has no tension: the smallest one is that of the others
    said = {event.get("what") for event in events}
    whole = [cable for cable in cables if not {f"{cable['cable']} {how}" for how in GONE} & said]
    low = min(whole or cables, key=lambda cable: cable["min"])
    found = [
        (f"{high['max']:.4g} N", f"largest tension, {high['cable']}, t = {high['max_time']:.4g} s"),
        (f"{_plain(low['min'], high['max'])} N", f"smallest tension, {low['cable']}, t = {low['min_time']:.4g} s"),
    ]
    slack = audit.get("slack", {}).get("count", 0)
    return [*found, (f"{slack}", "times that a cable was slack somewhere")]


def _plain(value: float, scale: float) -> str:
    """Four digits; what is rounding against the scale is zero."""
    return f"{value:.4g}" if abs(value) > 1e-12 * abs(scale) else "0"


def _accuracy(audit: dict[str, Any]) -> list[Number]:
    found = []
    constraint, energy = audit.get("constraint_error", {}), audit.get("energy", {})
    if constraint.get("max") is not None:
        found.append((f"{constraint['max']:.2g} {constraint['unit']}", "largest constraint error"))
    if energy.get("relative") is not None:
        found.append(
            (f"{energy['relative']:.2g}", f"error of the energy balance, of {energy['exchanged']:.3g} J exchanged")
        )
    return found
