"""A machine and its motion as small plain data for a page: places as 16-bit steps of the extent, colours as levels."""

import base64
from typing import Any

import numpy as np

from taut.views.film.picture import round_step
from taut.views.scene.colours import BODY, FIXTURE, FORCE, LIGHT, SLACK, tension_colours
from taut.views.scene.frames import Frame
from taut.views.scene.heads import Heads
from taut.views.scene.machine import Machine, Part

MOST_MOMENTS = 600
MOST_NUMBERS = 1_500_000  # most numbers of all arrays together, which bounds the size of the page
LEVELS = 253  # number of colours for tensions
GONE, SLACK_LEVEL = 254, 255  # in place of a tension's colour: the element was cut off; it is slack
FULL = 32767


def scene_data(machine: Machine) -> dict[str, Any]:
    """Everything the player of a page needs."""
    frames = machine.frames
    sample = frames.sample(0)
    numbers = sample.nodes.size + sample.tension.size + sample.position.size + sample.quaternion.size + 1
    looks = frames.spread(int(np.clip(MOST_NUMBERS // numbers, 2, MOST_MOMENTS)))
    low, span = _extent(machine, looks)
    return {
        "names": frames.bodies,
        "main": machine.main_body,
        "centres": machine.centres.tolist(),
        "cables": frames.cables,
        "bodies": [_part(part) for part in machine.bodies],
        "fixtures": [_part(part) for part in machine.fixtures],
        "heads": [_heads(heads) for heads in machine.heads],
        "ties": [{"parent": tie.parent, "point": tie.point.tolist(), "child": tie.child} for tie in machine.ties],
        "tie_radius": machine.tie_radius,
        "tie_colour": BODY.round(3).tolist(),
        "element_counts": frames.element_counts.tolist(),
        "node_count": sample.nodes.shape[1] if len(sample.nodes) else 0,
        "radii": machine.cable_radius.round(6).tolist(),
        "ramp": _ramp(),
        "size": machine.size,
        "centre": (low + 0.5 * span).tolist(),
        "reach": float(np.linalg.norm(machine.high - machine.low)),
        "low": low.tolist(),
        "span": span.tolist(),
        "floor": _floor(machine),
        "background": LIGHT.background,
        "force_colour": FORCE.tolist(),
        **_motion(machine, looks, low, span),
    }


def _motion(machine: Machine, looks: list[Frame], low: np.ndarray, span: np.ndarray) -> dict[str, Any]:
    """The moving parts of all moments, as base64 text."""
    position = np.array([frame.position for frame in looks])
    nodes = np.array([frame.nodes for frame in looks])
    force = -machine.force_scale * np.array([frame.anchor_force for frame in looks])
    longest = float(np.nanmax(np.abs(force))) if force.size and np.isfinite(force).any() else 0.0
    return {
        "times": _text(np.array([frame.time for frame in looks])),
        "position": _text(_steps(position, low, span)),
        "quaternion": _text((FULL * np.nan_to_num(np.array([f.quaternion for f in looks]))).round().astype("<i2")),
        "nodes": _text(_steps(nodes, low, span)),
        "colour": _text(np.array([_levels(machine, frame) for frame in looks], np.uint8)),
        "force": _text((FULL * np.nan_to_num(force) / (longest or 1.0)).round().astype("<i2")),
        "force_length": longest,
    }


def _levels(machine: Machine, frame: Frame) -> np.ndarray:
    """Tension as a level of the ramp, or another level for what is slack or not there."""
    low, high = machine.tension_limits
    share = np.clip((np.nan_to_num(frame.tension) - low) / max(high - low, 1e-12), 0.0, 1.0)
    levels = np.where(frame.is_slack, SLACK_LEVEL, (LEVELS * share).round()).astype(np.uint8)
    gone = frame.gone(machine.frames.gaps)
    return np.where(gone, GONE, levels).astype(np.uint8) if gone.shape == levels.shape else levels


def _ramp() -> list[list[float]]:
    levels = np.linspace(0.0, 1.0, LEVELS + 1)
    colours = tension_colours(levels, np.zeros(len(levels), bool), (0.0, 1.0))
    return [*colours.round(3).tolist(), FIXTURE.round(3).tolist(), SLACK.round(3).tolist()]


def _extent(machine: Machine, looks: list[Frame]) -> tuple[np.ndarray, np.ndarray]:
    """Corner and sides [m] of a box around all places that are sent."""
    cloud = [machine.low[None], machine.high[None]]
    cloud += [frame.position for frame in looks] + [frame.nodes.reshape(-1, 3) for frame in looks]
    low, high = np.nanmin(np.concatenate(cloud), axis=0), np.nanmax(np.concatenate(cloud), axis=0)
    return low, np.maximum(high - low, 1e-9)


def _steps(places: np.ndarray, low: np.ndarray, span: np.ndarray) -> np.ndarray:
    share = np.nan_to_num((places - low) / span) if places.size else places
    return (2 * FULL * share - FULL).round().astype("<i2")


def _part(part: Part) -> dict[str, Any]:
    mesh = part.mesh
    return {
        "vertices": mesh.vertices.round(5).tolist(),
        "faces": mesh.faces.tolist(),
        "colour": part.colour.round(3).tolist(),
    }


def _heads(heads: Heads) -> dict[str, Any]:
    """Beginnings of cables that look alike; the page turns pulleys as ``Heads.places`` does."""
    return {
        **_part(Part(heads.kind, heads.mesh, FIXTURE)),
        "kind": heads.kind,
        "cables": heads.cables.tolist(),
        "radius": heads.radius,
        "turns": heads.turns.round(6).tolist(),
    }


def _floor(machine: Machine) -> dict[str, Any]:
    step = round_step(machine.size / 6.0)
    reach = 0.5 * np.max(machine.high[:2] - machine.low[:2]) + 0.35 * machine.size
    first, last = np.floor((machine.centre[:2] - reach) / step), np.ceil((machine.centre[:2] + reach) / step)
    return {"first": first.astype(int).tolist(), "last": last.astype(int).tolist(), "step": step,
            "height": machine.ground, "colour": LIGHT.line}  # fmt: skip


def _text(array: np.ndarray) -> str:
    plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return base64.b64encode(plain.tobytes()).decode("ascii")
