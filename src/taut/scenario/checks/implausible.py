"""Warnings: numbers that no machine is likely to have, most of them slips of unit. They are never refused."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.scenario.start_pose import start_poses

from .geometry import cable_distances, percent

TURNED = 3 * np.pi  # angles of an orientation beyond this are probably degrees [rad]
WHOLE = 4.0  # whole numbers from this on are probably degrees [rad]
WOUND = 6 * np.pi  # positions of a revolute joint beyond this are probably degrees [rad]
WIDE = 100.0  # a body with a longer side is reported [m]
# mean densities of a body outside these are reported [kg/m^3]: less than half of air, more than any metal
LIGHT, HEAVY = 0.5, 30_000.0
SOFT = 20.0  # a smaller EA is reported [N]: a rubber band of 1 mm^2 has more
STRAIN = 0.1  # a larger strain, by a cable's share of the weight or by its preload, is reported
STRONG = 1e10  # a larger stress is reported [Pa]: no fibre carries it
INSTANTS = 101  # number of times in a run at which a set point is checked
FASTEST = 2.0  # share of a speed error that a sampled servo may take away in a period: beyond, the error grows
MASSIVE = 0.02  # ropes without mass whose own is a larger share of what they hold are reported
OUTSIDE = 0.05  # set points farther outside the frame than this are reported, relative to the frame's size


def find_implausible(scenario: Any) -> list[str]:
    """Return one sentence for every implausible number, with the number and the reason."""
    finders = (_angles, _sizes, _soft_cables, _left_masses, _preloads, _setpoints, _servos)
    return [text for finder in finders for text in finder(scenario)]


def _angles(scenario: Any) -> Iterator[str]:
    for name, body in scenario.all_bodies().items():
        for owner, where in ((body, "orientation"), (body.joint, "joint.orientation")):
            given = getattr(owner, "orientation", None)
            for key in ("euler", "rotation_vector"):
                values = getattr(given, key, None)
                largest = max(map(abs, values), default=0.0) if values is not None else 0.0
                if largest > TURNED or (largest >= WHOLE and largest == round(largest)):
                    yield (f"body {name}: {where}.{key} has an angle of {largest:g} rad, that is "
                           f"{np.degrees(largest):.0f} degrees: angles are in radians; was it meant so?")  # fmt: skip
        position = body.joint.position
        if body.joint.kind == "revolute" and isinstance(position, int | float) and abs(position) > WOUND:
            yield (f"body {name}: joint.position = {position:g} rad is {position / (2 * np.pi):.1f} turns: angles are "
                   "in radians")  # fmt: skip


def _sizes(scenario: Any) -> Iterator[str]:
    for name, body in scenario.all_bodies().items():
        shape = next(iter(body.shapes()), None)
        if shape is None or name in scenario.drivers:
            continue
        side = largest_side(body, shape)
        if side > WIDE:
            yield f"body {name}: a {shape} of {side:g} m is larger than most buildings: lengths are in metres"
        volume = float(np.prod(body.box)) if body.box else getattr(body, shape).volume()
        mass = body.mass_properties()[0]
        if volume > 0.0 and mass > 0.0 and not LIGHT < mass / volume < HEAVY:
            reason = "lighter than air" if mass / volume <= LIGHT else "heavier than any metal"
            yield (f"body {name}: {mass:g} kg in a {shape} of {volume:.3g} m^3 are {mass / volume:.3g} kg/m^3, "
                   f"{reason}: check mass and size")  # fmt: skip


def largest_side(body: Any, shape: str) -> float:
    """Return the largest dimension of a body's shape [m]."""
    record = getattr(body, shape)
    if shape == "box":
        return max(record)
    radius = getattr(record, "radius", None) or getattr(record, "outer", 0.0)
    return max(2.0 * radius, getattr(record, "length", 0.0))


def axial_stiffness(cable: Any, distance: float) -> float | None:
    """Return EA [N] of a cable; none for one that does not stretch."""
    if cable.kind == "mrfe":
        return cable.section(cable.length or distance).axial_stiffness
    return getattr(cable, "axial_stiffness", None)


def _soft_cables(scenario: Any) -> Iterator[str]:
    share = weight_share(scenario)
    for cable, distance in zip(scenario.cables, cable_distances(scenario), strict=True):
        stiffness = axial_stiffness(cable, distance)
        if stiffness is None:
            continue
        if share / stiffness > STRAIN:
            yield (f"cable {cable.name}: its share of the weight, {share:.3g} N, stretches it by "
                   f"{percent(share / stiffness)}, with EA = {stiffness:.3g} N: EA is Young's modulus [Pa] times the "
                   "cross-section [m^2]")  # fmt: skip
        elif stiffness < SOFT:
            yield f"cable {cable.name}: EA = {stiffness:.3g} N is softer than a rubber band: it is E [Pa] times A [m^2]"


def _left_masses(scenario: Any) -> Iterator[str]:
    """Ropes whose size says their mass, and whose kind leaves it out."""
    left = [(cable, distance) for cable, distance in zip(scenario.cables, cable_distances(scenario), strict=True)
            if cable.kind == "spring" and getattr(cable, "rope", None) is not None]  # fmt: skip
    mass = sum(cable.rope.mass_per_length * distance for cable, distance in left)
    bodies = scenario.all_bodies()
    held = sum(bodies[name].mass_properties()[0] for name in {cable.body for cable, _ in left} if name in bodies)
    if held > 0.0 and mass > MASSIVE * held:
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        yield (f"cable {left[0][0].name}{more}: of kind spring, without mass; ropes of this size have {mass:.3g} kg, "
               f"{percent(mass / held)} of what they hold: kind: mrfe counts it")  # fmt: skip


def weight_share(scenario: Any) -> float:
    """Return the weight of the free bodies that cables hold, per cable [N]."""
    held = {cable.body for cable in scenario.cables}
    bodies = scenario.all_bodies()
    mass = sum(bodies[name].mass_properties()[0] for name in held
               if name in bodies and bodies[name].joint.kind in ("free", "planar", "point"))  # fmt: skip
    return mass * float(np.linalg.norm(scenario.gravity)) / max(len(scenario.cables), 1)


def _preloads(scenario: Any) -> Iterator[str]:
    distances = dict(zip((cable.name for cable in scenario.cables), cable_distances(scenario), strict=True))
    for name, controller in scenario.controllers.items():
        ahead = getattr(controller, "feedforward", None)
        preload = getattr(ahead, "preload", 0.0) or 0.0
        for cable in scenario.cables if preload > 0.0 else ():
            stiffness = axial_stiffness(cable, distances[cable.name])
            area = np.pi * (getattr(cable, "radius", None) or np.inf) ** 2
            if stiffness is not None and preload / stiffness > STRAIN:
                yield (f"controller {name}: a preload of {preload:.3g} N stretches cable {cable.name} by "
                       f"{percent(preload / stiffness)}, with EA = {stiffness:.3g} N")  # fmt: skip
                break
            if preload / area > STRONG:
                yield (f"controller {name}: a preload of {preload:.3g} N is {preload / area:.2g} Pa in cable "
                       f"{cable.name}: no fibre carries that")  # fmt: skip
                break


def _setpoints(scenario: Any) -> Iterator[str]:
    """A place that cables from a frame are to reach lies between their exits."""
    frame = exit_box(scenario)
    if frame is None:
        return
    low, high = frame
    room = OUTSIDE * float(np.max(high - low))
    for name, controller in scenario.controllers.items():
        if controller.kind != "cable-length":
            continue
        curves = [scenario.signal(spec) for spec in controller.setpoint]
        times = np.linspace(0.0, scenario.run.duration, INSTANTS)
        places = np.array([curve.evaluate(times)[0] for curve in curves]).T
        for t, place in zip(times, places, strict=True):
            beyond = np.maximum(low - place, place - high)
            beyond[2] = place[2] - high[2]  # positions far below the exits are normal, so there is no limit downwards
            if beyond.max() > room:
                shown = ", ".join(f"{x:g}" for x in place.round(4))
                yield (f"controller {name}: its set point ({shown}) m at t = {t:g} s lies {beyond.max():.3g} m outside "
                       "of the frame of the exits")  # fmt: skip
                break


def exit_box(scenario: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the corners of the box around the exits at the start [m]; none where too few or where they move."""
    if len(scenario.cables) < 3 or any(cable.driver in scenario.drivers for cable in scenario.cables):
        return None
    poses = start_poses(scenario)
    frames = [poses[cable.exit_body or "world"] for cable in scenario.cables]
    exits = [p + R @ np.array(cable.exit) for (R, p), cable in zip(frames, scenario.cables, strict=True)]
    return np.min(exits, axis=0), np.max(exits, axis=0)


def _servos(scenario: Any) -> Iterator[str]:
    drums = {driver.drum.torque: driver.drum for driver in scenario.drivers.values()
             if driver.kind == "winch" and driver.drum is not None and isinstance(driver.drum.torque, str)}  # fmt: skip
    fast: dict[str, list[str]] = {}
    for name, controller in scenario.controllers.items():
        drum = drums.get(getattr(controller, "command", ""))
        if drum is None or controller.kind != "drum" or controller.mode == "torque":
            continue
        ratio, motor = (drum.gearbox.ratio, drum.gearbox.inertia) if drum.gearbox is not None else (1.0, 0.0)
        share = controller.kv * ratio * controller.period / (drum.inertia + ratio**2 * motor)
        if share > FASTEST:
            fast.setdefault(f"kv times period over the drum's inertia is {share:.3g}", []).append(name)
    for why, names in fast.items():
        others = f" and {len(names) - 1} more" if len(names) > 1 else ""
        yield (f"controller {names[0]}{others}: {why}: above {FASTEST:g} the speed swings up from sample to sample; "
               "take a smaller kv or a shorter period")  # fmt: skip
