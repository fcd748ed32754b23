"""A hundred machines in which something fails, at random: every run ends with a result or a clear diagnosis.

Seeded: cable robots with two to four cables, on moving exits, drums, quadcopters or prescribed winches; cables are cut,
rotors and drivers lost, brakes let go, payloads dropped, at random times or when the platform passes a height.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.result import Result
from taut.scenario.builder import Machine
from taut.scenario.errors import ScenarioError
from taut.verify.quantity import Quantity, at_most

COUNT, SEED = 100, 20260
RULE = "nothing is lost: a result with its event, or a message"
CORNERS = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]])
KINDS = ("trajectory", "drum", "quadcopter", "winch")


def quantities() -> Iterator[Quantity]:
    """Run all machines, and count runs without an end or a reason."""
    lost, unsaid, failed, completed = 0, 0, 0, 0
    for number in range(COUNT):
        try:
            result = simulate(build(random_machine(number).scenario()))
        except ScenarioError:
            continue  # a refusal with its reason is a correct answer
        except Exception:
            lost += 1
            continue
        completed += result.status == "completed"
        if result.status == "completed":
            unsaid += not is_said(result)
            failed += result.audit["verdict"] == "fail"
        else:
            lost += not result.dataset.attrs.get("status_text")
    yield at_most("runs that end without a word", float(lost), 0.0, RULE)
    yield at_most("completed runs whose failure is not in the result", float(unsaid), 0.0, RULE)
    yield at_most("completed runs that fail their audit", float(failed), 0.0, RULE)
    yield at_most(
        "runs that do not reach their end", float(COUNT - completed), 5.0, "most machines go on without the part"
    )


def is_said(result: Result) -> bool:
    """Whether the failures that could happen are among the events."""
    found = {event["name"] for event in result.events}
    return "failure" in found or not any(event["name"] == "height" for event in result.events)


def random_machine(number: int) -> Machine:
    """One machine and its failure."""
    rng = np.random.default_rng([SEED, number])
    kind, count = KINDS[rng.integers(len(KINDS))], int(rng.integers(2, 5))
    machine = Machine(f"random failure {number}")
    z = rng.uniform(0.5, 1.5)
    machine.platform(mass=float(rng.uniform(0.5, 2.0)), box=[0.5, 0.5, 0.2], position=[0, 0, float(z)])
    if rng.random() < 0.5:
        machine.ground(stiffness=2e3, damping=60.0)
    is_dropped = rng.random() < 0.2
    if is_dropped:
        machine.body("payload", mass=0.3, box=[0.1, 0.1, 0.1], position=[0, 0, float(z) - 0.2])
        machine.closure("grip", kind="fixed", bodies=["platform", "payload"], at=[0, 0, float(z) - 0.1])
    for k in range(count):
        add_cable(machine, rng, kind, k, float(z))
    machine.event("height", value=float(z + rng.uniform(-0.3, 0.3)))
    when: dict[str, Any] = {"at": float(rng.uniform(0.05, 0.9))} if rng.random() < 0.7 else {"when": "height"}
    what = ("release", "grip") if is_dropped else struck(rng, kind, count, when)
    machine.failure("failure", kind=what[0], target=what[1], **when)
    return machine.run(duration=1.2, save_every=0.05, tolerance=1e-7)


def add_cable(machine: Machine, rng: np.random.Generator, kind: str, k: int, z: float) -> None:
    """One cable with what drives it."""
    x, y = 0.25 * CORNERS[k]
    out = rng.uniform(1.0, 2.0)
    keys: dict[str, Any] = {
        "exit": [x * out, y * out, z + 0.8],
        "anchor": [x, y, 0.1],
        "elements": int(rng.integers(3, 7)),
    }
    if kind == "quadcopter":
        keys["driver"] = f"D{k}"
        thrust = float(rng.uniform(2.0, 3.5))
        machine.driver(f"D{k}", kind="quadcopter", mass=0.755, inertia=[5.6e-3, 5.6e-3, 1.05e-2], arm=0.17,
                       moment_ratio=0.1, thrust=thrust)  # fmt: skip
    elif kind == "trajectory":
        keys["driver"] = f"D{k}"
        amplitude = float(rng.uniform(0.05, 0.3))
        machine.driver(f"D{k}", offset=[0.0, 0.0, f"{amplitude}*(1 - cos(3*t))"])
    else:
        keys["winch"] = f"W{k}"
        drum = {"radius": 0.05, "inertia": 2e-3, "friction": 2e-3, "brake": float(rng.uniform(0.5, 5.0))}
        way: dict[str, Any] = (
            {"drum": drum} if kind == "drum" else {"payout": f"{rng.uniform(-0.1, 0.2):.3f}*(1 - cos(2*t))"}
        )
        machine.driver(f"W{k}", kind="winch", **way)
    machine.cable(f"C{k}", radius=1e-3, mass_per_length=float(rng.uniform(0.01, 0.1)), axial_stiffness=1e5,
                  axial_damping=300.0, bending_stiffness=5e-3, bending_damping=1e-3, **keys)  # fmt: skip


def struck(rng: np.random.Generator, kind: str, count: int, when: dict[str, Any]) -> tuple[str, str]:
    """Kind and target of a random failure."""
    k = int(rng.integers(count))
    others = {
        "quadcopter": [("loss", f"D{k}"), ("loss", f"D{k} rotor {rng.integers(1, 5)}")],
        "drum": [("brake-loss", f"W{k}")],
        "winch": [("loss", f"W{k}")] if "at" in when else [],
        "trajectory": [],
    }[kind]
    choices = [("cut", f"C{k}"), *others]
    return choices[rng.integers(len(choices))]
