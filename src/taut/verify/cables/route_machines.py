"""Random ropes: one to six guides above and on a load that flies and turns, fixed ends, winches and drums.

Every rope zigzags between guides in the world, about 6 m up, and guides on a box that hangs below and swings; wheels
have planes of their own, so that ropes arrive at all angles. Winches and drums haul in most of what hangs, and pay it
out again. Every third rope has mass after its last guide.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.build import build
from taut.integrate.simulate import simulate
from taut.scenario.builder import Machine
from taut.scenario.errors import ScenarioError
from taut.verify.quantity import Quantity, at_most

COUNT, MOST_FAILED = 200, 20
MOST_HAULED = 2.6  # most rope hauled in per fall [m]; the guides are about 3.5 m above the load
# reasons for which a run may end early, as listed in the docs
NAMED = ("out of rope", "off a sheave", "at a guide", "pulled straight")


def quantities() -> Iterator[Quantity]:
    """Quantities: how many runs do not pass, and how many end for a reason that the docs do not list."""
    endings = [ending(machine(seed)) for seed in range(COUNT)]
    failed, source = sum(word != "pass" for word in endings), "audits of the runs"
    yield at_most(f"random ropes of {COUNT} that do not pass", float(failed), MOST_FAILED, source)
    yield Quantity("ropes that neither pass nor end for a reason that the docs list",
                   float(sum(word not in ("pass", *NAMED) for word in endings)), 0.0, 0.0, source)  # fmt: skip


def ending(made: Machine) -> str:
    """How a run ends: pass, the status of one that could not go on, or what its audit says."""
    try:
        result = simulate(build(made.scenario()))
    except ScenarioError as error:
        return f"refused: {error}"
    verdict = str(result.audit["verdict"])
    return verdict if result.status == "completed" else result.status


def machine(seed: int) -> Machine:
    """A load on a random rope over guides, by the seed of the draw."""
    rng = np.random.default_rng(seed)
    made = Machine(f"random rope {seed}")
    place = [float(rng.uniform(-0.5, 0.5)), float(rng.uniform(-0.3, 0.3)), 2.0]
    made.platform(mass=float(rng.uniform(20, 200)), box=[1.5, 0.6, 0.5], position=place)
    count = int(rng.integers(1, 7))
    via = [guide(rng, k, count, place) for k in range(count)]
    cable: dict[str, Any] = {"via": via, "exit": [-2.5, float(rng.uniform(-0.3, 0.3)), 5.0 if count % 2 else 1.0]}
    # with an odd number of guides the last one is above the load, and the rope ends on the load
    cable |= {"anchor": [0.5 * (count % 2), 0.0, 0.3]} if count % 2 else {"body": "world", "anchor": [2.5, 0.1, 6.0]}
    if not count % 2:
        cable["exit"] = [-2.5, float(rng.uniform(-0.3, 0.3)), 6.3]
    own = material(rng)
    # every third machine has ropes with mass
    if seed % 3 == 2:
        own, cable["via"] = elements(rng), [light(guide, is_last=k == count - 1) for k, guide in enumerate(via)]
    falls = 1 + sum(guide["body"] == "platform" for guide in via) * 2 - count % 2 if count > 1 else 1
    made.cable("rope", **cable, **own, **length_of(rng, made, falls))
    made.run(duration=5.0, save_every=0.05, tolerance=1e-7)
    return made


def guide(rng: np.random.Generator, k: int, count: int, place: list[float]) -> dict[str, Any]:
    """Guides in turns above and on the load, one beside the other."""
    x = float((k - 0.5 * (count - 1)) * 0.4 + rng.uniform(-0.05, 0.05))
    is_above = k % 2 == (0 if count % 2 else 1)
    point = [x, float(rng.uniform(-0.15, 0.15)), float(rng.uniform(5.7, 6.3)) if is_above else 0.3]
    found: dict[str, Any] = {"point": point, "body": "world" if is_above else "platform"}
    kind = rng.choice(["pinhole", "fixed", "swivel", "wheel"])
    if kind == "pinhole":
        return found | {"kind": "pinhole"}
    found |= {"kind": "sheave", "radius": float(rng.uniform(0.04, 0.15))}
    if kind == "swivel":
        return found
    lean = float(rng.uniform(-0.2, 0.2))
    found |= {"axis": [lean, 1.0, float(rng.uniform(-0.1, 0.1))], "side": "over" if is_above else "under"}
    return found | ({"inertia": float(rng.uniform(0.005, 0.05))} if kind == "wheel" else {})


def material(rng: np.random.Generator) -> dict[str, Any]:
    """Ropes that stretch, and such that do not."""
    if rng.random() < 0.5:
        return {"kind": "ideal"}
    EA = float(10 ** rng.uniform(5.0, 6.3))
    return {"kind": "spring", "axial_stiffness": EA, "axial_damping": 0.01 * EA}


def elements(rng: np.random.Generator) -> dict[str, Any]:
    """Ropes with mass after their last guide."""
    EA = float(10 ** rng.uniform(5.0, 6.3))
    return {"kind": "mrfe", "elements": int(rng.integers(2, 7)), "radius": 2e-3, "axial_stiffness": EA,
            "mass_per_length": float(rng.uniform(0.05, 0.5)), "axial_damping": 0.01 * EA}  # fmt: skip


def light(guide: dict[str, Any], *, is_last: bool) -> dict[str, Any]:
    """A guide that goes with ropes with mass: without inertia, the last one with an axis."""
    found = {key: value for key, value in guide.items() if key != "inertia"}
    if is_last and found["kind"] == "sheave" and "axis" not in found:
        found |= {"axis": [0.0, 1.0, 0.0], "side": "over" if found["body"] == "world" else "under"}
    return found


def length_of(rng: np.random.Generator, made: Machine, falls: int) -> dict[str, Any]:
    """Fixed ends, winches and drums that haul in most of the falls and pay them out again, and farther."""
    way = rng.choice(["fixed", "winch", "motor", "drum"], p=[0.1, 0.35, 0.35, 0.2])
    haul, pay = falls * float(rng.uniform(1.2, MOST_HAULED)), falls * float(rng.uniform(0.0, 1.0))
    course = f"{-haul!r}*smoothstep(t/2.5) + {haul + pay!r}*smoothstep((t - 2.5)/2.5)"
    drum: dict[str, Any] = {"radius": 0.1, "inertia": 0.2, "friction": 2.0}
    if way == "winch":
        made.driver("hoist", kind="winch", payout=course)
    elif way == "motor":
        motor = {"angle": f"10*({course})", "kp": 20.0, "kv": 60.0, "lag": 0.005}
        made.driver("hoist", kind="winch", drum={**drum, "motor": motor, "braked": False})
    elif way == "drum":
        made.driver("hoist", kind="winch", drum={**drum, "torque": float(rng.uniform(-20.0, 20.0))})
    return {} if way == "fixed" else {"winch": "hoist"}
