"""Random machines for ``rests``: seven families, most of which come to rest, and what is said of those that do not.

All are started up to 0.7 m (or rad) from where they were drawn. A machine that cannot rest has words that name why.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from taut.scenario.builder import Machine

FAR = 0.7  # largest distance between the drawn and the start position [m]
WEIGHT = 9.81  # weight of a kilogram [N]
ROPE = {"radius": 2e-3, "mass_per_length": 0.05, "axial_stiffness": 2e5, "axial_damping": 2e3,
        "bending_stiffness": 0.01, "bending_damping": 1e-3}  # fmt: skip
KINDS: dict[str, dict[str, Any]] = {
    "mrfe": ROPE,
    "spring": {"axial_stiffness": 5e4, "axial_damping": 500.0},
    "ideal": {},
}

Draw = np.random.Generator


class Drawn(NamedTuple):
    """A random machine, and the words of the expected refusal; none if the machine comes to rest."""

    machine: Machine
    causes: tuple[str, ...] = ()


def random_machine(number: int, seed: int) -> tuple[str, Drawn]:
    """Family and machine of a number."""
    draw, family = np.random.default_rng([seed, number]), FAMILIES[number % len(FAMILIES)]
    return family.__name__, family(draw)


def moved(draw: Draw, place: Any) -> list[float]:
    """A place some random way from a place [m]."""
    way = draw.normal(size=3)
    return (np.asarray(place, float) + draw.uniform(0.0, FAR) * way / np.linalg.norm(way)).tolist()


def turned(draw: Draw, most: float = 0.3) -> dict[str, Any]:
    """A random orientation near the world's axes [rad]."""
    return {"rotation_vector": draw.uniform(-most, most, 3).tolist()}


def number(draw: Draw, low: float, high: float) -> float:
    """A random number between two limits."""
    return float(draw.uniform(low, high))


def platform(draw: Draw, machine: Machine, height: float = 1.0) -> tuple[np.ndarray, float]:
    """A box that starts away from (0, 0, height); returns its sides [m] and its mass [kg]."""
    sides, mass = draw.uniform(0.2, 0.8, 3), number(draw, 2.0, 20.0)
    machine.platform(mass=mass, box=sides.tolist(), position=moved(draw, [0, 0, height]), orientation=turned(draw))
    return sides, mass


def attach(draw: Draw, machine: Machine, sides: np.ndarray, count: int, **keys: Any) -> None:
    """Cables from points above to the box's upper side; some are too long to pull where the machine was drawn."""
    chosen = keys.pop("kind", None) or draw.choice(["mrfe", "spring", "ideal", "mixed"])
    begin = draw.uniform(0.0, 2.0 * np.pi)
    for k in range(count):
        angle = begin + 2.0 * np.pi * (k + draw.uniform(-0.2, 0.2)) / count
        way = np.array([np.cos(angle), np.sin(angle)])
        exit_point = np.append(way * draw.uniform(0.8, 2.5), draw.uniform(2.5, 4.0))
        anchor = np.append(0.5 * sides[:2] * way, 0.5 * sides[2])
        kind = str(draw.choice(list(KINDS))) if chosen == "mixed" else str(chosen)
        longer = draw.uniform(1.1, 1.4) if draw.random() < 0.2 else draw.uniform(0.98, 1.02)
        length = float(np.linalg.norm(exit_point - anchor - [0, 0, 1])) * longer
        own = {"elements": int(draw.integers(2, 6))} if kind == "mrfe" else {}
        more = {key: value.format(k=k) if isinstance(value, str) else value for key, value in keys.items()}
        machine.cable(f"C{k}", kind=kind, exit=exit_point.tolist(), anchor=anchor.tolist(), length=length,
                      **KINDS[kind], **own, **more)  # fmt: skip


def suspended(draw: Draw) -> Drawn:
    """A platform on two to eight cables."""
    machine = Machine("suspended")
    sides, _ = platform(draw, machine)
    attach(draw, machine, sides, int(draw.integers(2, 9)))
    return Drawn(machine)


def pulleys(draw: Draw) -> Drawn:
    """A platform on cables that leave from pulleys."""
    machine = Machine("pulleys")
    sides, _ = platform(draw, machine)
    attach(draw, machine, sides, int(draw.integers(2, 5)), kind="mrfe", pulley={"radius": number(draw, 0.03, 0.1)})
    return Drawn(machine)


def winched(draw: Draw) -> Drawn:
    """A platform on drums whose brakes hold many times its weight, or together less than it."""
    machine, count = Machine("winched"), int(draw.integers(1, 5))
    sides, mass = platform(draw, machine)
    kind, radius = str(draw.choice(["spring", "mrfe"])), number(draw, 0.05, 0.2)
    attach(draw, machine, sides, count, kind=kind, winch="W{k}")
    is_held = draw.random() < 0.6
    # all brakes together hold at most the sum of their forces, in any direction
    share = number(draw, 2.0, 5.0) if is_held else number(draw, 0.2, 0.9) / count
    for k in range(count):
        drum = {"radius": radius, "inertia": 0.02, "friction": 0.05, "brake": share * mass * WEIGHT * radius}
        machine.driver(f"W{k}", kind="winch", drum=drum)
    return Drawn(machine, () if is_held else ("cannot hold", " drum"))


def rubbing(draw: Draw) -> Drawn:
    """A block on a slope with dry friction and perhaps a spring, or links on hinges with friction."""
    machine = Machine("rubbing")
    if draw.random() < 0.5:
        friction = {"coulomb": number(draw, 0.1, 20.0), "stiction": number(draw, 0.0, 5.0)}
        for k in range(int(draw.integers(1, 4))):
            joint = {"kind": "revolute", "axis": [0, 1, 0], "friction": friction, "position": number(draw, -2.5, 2.5)}
            joint |= {"parent": f"link{k - 1}", "origin": [0, 0, -0.5]} if k else {}
            machine.body(f"link{k}", mass=number(draw, 0.5, 5.0), com=[0, 0, -0.25],
                         rod={"length": 0.5, "axis": [0, 0, 1]}, joint=joint)  # fmt: skip
        return Drawn(machine)
    slope, mass, share = number(draw, 0.1, 1.2), number(draw, 1.0, 10.0), number(draw, 0.3, 2.0)
    is_sprung = draw.random() < 0.5
    pull = mass * WEIGHT * np.sin(slope)
    joint = {"kind": "prismatic", "axis": [np.cos(slope), 0, -np.sin(slope)], "position": number(draw, -FAR, FAR),
             "friction": {"coulomb": share * pull}}  # fmt: skip
    joint |= {"spring": {"stiffness": number(draw, 100.0, 1e4), "damping": 10.0}} if is_sprung else {}
    machine.body("block", mass=mass, box=[0.2, 0.2, 0.2], joint=joint)
    return Drawn(machine, () if is_sprung or share > 1.0 else ("cannot hold", "block"))


def loads(draw: Draw) -> Drawn:
    """Loads that hang on one another, the first on two or three cables."""
    machine = Machine("loads")
    kind = str(draw.choice(["mrfe", "spring", "ideal"]))
    own = KINDS[kind] | ({"elements": 3} if kind == "mrfe" else {})
    for k in range(int(draw.integers(1, 4))):
        machine.body(f"load{k}", mass=number(draw, 1.0, 10.0), box=[0.2, 0.3, 0.2], position=moved(draw, [0, 0, -k]),
                     orientation=turned(draw))  # fmt: skip
        for j in range(int(draw.integers(1, 4)) if k == 0 else 1):
            above = (
                {"exit": moved(draw, [j, 0, 1.5])} if k == 0 else {"exit": [0, 0, -0.1], "exit_body": f"load{k - 1}"}
            )
            length = number(draw, 0.8, 1.2) if k else number(draw, 1.6, 2.2)
            machine.cable(
                f"C{k}{j}", kind=kind, **above, body=f"load{k}", anchor=[0.1 * j, 0, 0.1], length=length, **own
            )
    return Drawn(machine)


def grounded(draw: Draw) -> Drawn:
    """A box above, on or in the ground, some with cables."""
    machine = Machine("grounded")
    sides, mass = platform(draw, machine, height=0.5)
    machine.ground(stiffness=number(draw, 1e3, 1e5), damping=number(draw, 10.0, 500.0), friction=number(draw, 0.0, 0.8))
    count = int(draw.integers(0, 4))
    if count:
        attach(draw, machine, sides, count)
    return Drawn(machine)


def restless(draw: Draw) -> Drawn:
    """Machines without any rest."""
    machine = Machine("restless")
    return RESTLESS[draw.integers(len(RESTLESS))](draw, machine)


def falling(draw: Draw, machine: Machine) -> Drawn:
    """A body that nothing holds, beside a platform that hangs."""
    if draw.random() < 0.5:
        sides, _ = platform(draw, machine)
        attach(draw, machine, sides, 3, kind="spring")
    machine.body("stone", mass=number(draw, 0.1, 10.0), box=[0.1, 0.2, 0.3], position=moved(draw, [2, 0, 1]))
    return Drawn(machine, ("stone", "nothing holds it"))


def unbraked(draw: Draw, machine: Machine) -> Drawn:
    """A load on a drum without brake."""
    kind = str(draw.choice(["spring", "mrfe"]))
    machine.body("load", mass=number(draw, 1.0, 50.0), box=[0.3, 0.2, 0.3], position=moved(draw, [0, 0, 1]))
    own = {"elements": 4} if kind == "mrfe" else {}
    machine.cable("rope", kind=kind, exit=[0, 0, 4], body="load", anchor=[0, 0, 0.1], winch="W", **KINDS[kind], **own)
    brake = {} if draw.random() < 0.5 else {"brake": 1e4, "braked": False}
    machine.driver("W", kind="winch", drum={"radius": 0.1, "inertia": 0.02, **brake})
    return Drawn(machine, ("rope drum", "no brake"))


def sliding(draw: Draw, machine: Machine) -> Drawn:
    """A block on a smooth slope, or pushed along a level rail."""
    joint: dict[str, Any] = {"kind": "prismatic", "axis": [1, 0, 0], "position": number(draw, -FAR, FAR)}
    slope = number(draw, 0.05, 1.5)
    joint |= {"force": number(draw, 0.5, 50.0)} if draw.random() < 0.5 else {"axis": [np.cos(slope), 0, np.sin(slope)]}
    machine.body("block", mass=number(draw, 1.0, 10.0), box=[0.2, 0.2, 0.2], joint=joint)
    return Drawn(machine, ("block", "nothing holds it"))


def spinning(draw: Draw, machine: Machine) -> Drawn:
    """A rotor that a torque turns, faster than its unbalance can hold."""
    torque, mass = number(draw, 1.0, 20.0), number(draw, 1.0, 5.0)
    lever = number(draw, 0.0, 0.9) * torque / (mass * WEIGHT)
    joint = {"kind": "revolute", "axis": [0, 1, 0], "force": torque, "position": number(draw, -3.0, 3.0)}
    machine.body("rotor", mass=mass, com=[lever, 0, 0], inertia=[0.1, 0.1, 0.1], joint=joint)
    return Drawn(machine, ("rotor", "turns without end"))


def too_short(draw: Draw, machine: Machine) -> Drawn:
    """A load on two ideal cables that do not reach each other."""
    apart = number(draw, 3.0, 4.0)
    machine.body("load", mass=number(draw, 1.0, 10.0), box=[0.1, 0.1, 0.1], position=moved(draw, [0, 0, 1]))
    for name, side in (("left", -0.5), ("right", 0.5)):
        machine.cable(name, kind="ideal", exit=[side * apart, 0, 1], body="load", anchor=[0, 0, 0],
                      length=number(draw, 0.42, 0.48) * apart)  # fmt: skip
    return Drawn(machine, ("cannot be closed",))


RESTLESS: tuple[Callable[[Draw, Machine], Drawn], ...] = (falling, unbraked, sliding, spinning, too_short)
FAMILIES: tuple[Callable[[Draw], Drawn], ...] = (suspended, winched, rubbing, pulleys, loads, grounded, restless)
