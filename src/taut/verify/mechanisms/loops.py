"""Two hundred loops with redundant closures: four-bars, Bennett's, Bricard's, triple cranks; on bases that move or not.

Each has random sizes, a random pose, and stands fixed, on a turntable or on a free body, turned anyhow or along the
axes of the world. Rank and redundant rows are compared with those of the closures' slopes by differences.
`python -m taut.verify.mechanisms.loops COUNT [SEED]` lists every failure.
"""

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from taut.build import build
from taut.dynamics.residual import place
from taut.dynamics.tree.positions import move
from taut.integrate.simulate import simulate
from taut.integrate.start.redundancy import IN_NULL_SPACE
from taut.integrate.start.start_state import start_state
from taut.model import Model, new_data
from taut.model.data import row_groups
from taut.scenario.builder import Machine
from taut.verify.mechanisms.bricard import AXES, EDGES, RODS
from taut.verify.quantity import Quantity, at_most

COUNT, SEED = 200, 24
METHODS = ("radau", "generalized-alpha", "explicit")
DURATION = 0.5  # duration of the runs [s]
SLOPE = 1e-6  # difference step of coordinates [rad or m]
NOTHING = 1e-8  # singular values of matrices found by differences count as zero below this
SOURCE = "slopes of the closures by differences"

Draw = np.random.Generator


def quantities() -> Iterator[Quantity]:
    """How many are named wrongly, and how many audits fail."""
    wrong = list(failures(COUNT, SEED))
    yield at_most(f"loops of {COUNT} whose redundancy is named wrongly", sum("named" in text for _, text in wrong), 0,
                  SOURCE)  # fmt: skip
    for method in METHODS:
        count = sum(text.startswith(method) for _, text in wrong)
        yield at_most(f"audits of {COUNT} that fail with {method}", count, 0, "loops are closed, energy is kept")


def failures(count: int, seed: int, methods: tuple[str, ...] = METHODS) -> Iterator[tuple[str, str]]:
    """Every loop that is not as it should be, with the reason."""
    for name, machine in drawn(count, seed):
        model = build(machine.scenario())
        start = start_state(model)
        expected = redundancy(model, start.data.q)
        if (start.rank, start.redundant) != expected:
            yield name, f"is named {start.rank} {start.redundant}, but has {expected}"
        for method in methods:
            result = simulate(model, integrator=method)
            if result.audit["verdict"] != "pass":
                yield name, f"{method}: {'; '.join(result.audit['reasons'])}"


def drawn(count: int, seed: int) -> Iterator[tuple[str, Machine]]:
    """The loops one after the other."""
    random = np.random.default_rng(seed)
    for k in range(count):
        loop, base = LOOPS[k % len(LOOPS)], ("fixed", "turntable", "free")[k // len(LOOPS) % 3]
        yield f"{k}: {loop.__name__} on a {base} base", on_base(random, base, loop)


def redundancy(model: Model, q: np.ndarray) -> tuple[int, tuple[str, ...]]:
    """Rank of the closures, and the rows that take part in a self-stress, by differences."""
    data = new_data(model)

    def errors(change: np.ndarray) -> np.ndarray:
        move(model.tables, q, change, data.q)
        place(model.tables, data)
        return data.rows["value"].copy()

    units = SLOPE * np.eye(model.column_count)
    J = np.array([errors(unit) - errors(-unit) for unit in units]).T / (2.0 * SLOPE)
    group = row_groups(model.tables, model.row_count)
    sizes = np.array([np.linalg.norm(J[group == g], axis=1).max() for g in group])
    J /= np.where(sizes > NOTHING, sizes, 1.0)[:, None]
    left, sizes, _ = np.linalg.svd(J)
    rank = int(np.sum(sizes > 1e-6 * sizes[0]))
    share = np.abs(left[:, rank:]).max(axis=1, initial=0.0)
    limit = max(IN_NULL_SPACE, 1e-5)
    return rank, tuple(name for name, part in zip(model.names.rows, share, strict=True) if part > limit)


def on_base(draw: Draw, kind: str, loop: Callable[[Draw, Machine], None]) -> Machine:
    """A base at rest or turning, and a loop on it."""
    machine = Machine("loop on a base")
    angles = draw.uniform(-3.0, 3.0, 3).tolist() if draw.random() < 0.5 else [0.0, 0.0, 0.0]
    joint: dict[str, Any] = {"orientation": {"euler": angles}}
    spin = 0.0 if draw.random() < 0.5 else float(draw.uniform(0.2, 2.0))
    if kind == "turntable":
        joint |= {"kind": "revolute", "axis": [0, 0, 1], "velocity": spin}
        machine.body("base", mass=5.0, box=[1.0, 0.8, 0.1], joint=joint)
    elif kind == "fixed":
        machine.body("base", mass=5.0, box=[1.0, 0.8, 0.1], joint={"kind": "fixed", **joint})
    else:
        machine.body("base", mass=5.0, box=[1.0, 0.8, 0.1], **joint, angular_velocity=[0.3 * spin, 0.0, spin])
    loop(draw, machine)
    return machine.run(duration=DURATION, save_every=0.01)


def rod(length: float) -> dict[str, Any]:
    """A rod along x of its frame."""
    return {"mass": 1.0 + length, "com": [0.5 * length, 0, 0], "rod": {"length": length, "axis": [1, 0, 0]}}


def crank_and_rocker(draw: Draw, machine: Machine) -> tuple[float, float]:
    """Three links in the base's x-z plane, placed so that the loop is closed; returns the lengths of the last two."""
    while True:
        ground, crank, coupler, rocker = draw.uniform(0.5, 2.0, 4)
        angle = draw.uniform(0.3, 2.8)
        tip = crank * np.array([np.cos(angle), np.sin(angle)])
        reach = np.array([ground, 0.0]) - tip
        far = float(np.linalg.norm(reach))
        # keep away from positions in which coupler and rocker lie on one line
        if abs(coupler - rocker) + 0.2 < far < coupler + rocker - 0.2:
            break
    bend = np.arccos((coupler**2 + far**2 - rocker**2) / (2.0 * coupler * far))
    heading = np.arctan2(reach[1], reach[0]) + bend
    pin = tip + coupler * np.array([np.cos(heading), np.sin(heading)])
    last = np.arctan2(pin[1], pin[0] - ground)
    hinge = {"kind": "revolute", "axis": [0, -1, 0]}
    machine.body("crank", **rod(crank), joint={**hinge, "parent": "base", "position": angle})
    machine.body("coupler", **rod(coupler), joint={**hinge, "parent": "crank", "origin": [crank, 0, 0],
                                                   "position": heading - angle})  # fmt: skip
    machine.body("rocker", **rod(rocker), joint={**hinge, "parent": "base", "origin": [ground, 0, 0],
                                                 "position": last})  # fmt: skip
    return coupler, rocker


def four_bar(draw: Draw, machine: Machine) -> None:
    """A plane linkage closed by a ball: one row in three is redundant."""
    coupler, rocker = crank_and_rocker(draw, machine)
    machine.closure("pin", kind="point", bodies=["coupler", "rocker"], points=[[coupler, 0, 0], [rocker, 0, 0]])


def hinged_four_bar(draw: Draw, machine: Machine) -> None:
    """A plane linkage closed by a hinge: three rows in five are redundant."""
    coupler, rocker = crank_and_rocker(draw, machine)
    machine.closure("pin", kind="revolute", bodies=["coupler", "rocker"], axes=[[0, 1, 0], [0, 1, 0]],
                    points=[[coupler, 0, 0], [rocker, 0, 0]])  # fmt: skip


def triple_crank(draw: Draw, machine: Machine) -> None:
    """A coupler on three equal cranks side by side: two of them hold it, so that the third is redundant."""
    crank, angle, (second, third) = *draw.uniform(0.5, 1.5, 2), np.sort(draw.uniform(0.4, 2.0, 2)) + [0.0, 0.3]
    hinge = {"kind": "revolute", "axis": [0, -1, 0], "position": angle}
    for name, place_x in (("first", 0.0), ("second", second), ("third", third)):
        machine.body(name, **rod(crank), joint={**hinge, "parent": "base", "origin": [place_x, 0, 0]})
    machine.body("coupler", **rod(third), joint={**hinge, "parent": "first", "origin": [crank, 0, 0],
                                                 "position": -angle})  # fmt: skip
    for name, place_x in (("second", second), ("third", third)):
        machine.closure(f"pin of the {name}", kind="point", bodies=["coupler", name],
                        points=[[place_x, 0, 0], [crank, 0, 0]])  # fmt: skip


def bennett(draw: Draw, machine: Machine) -> None:
    """Four hinges whose axes are neither parallel nor concurrent (Bennett 1903): a / sin(alpha) = b / sin(beta)."""
    alpha, beta = draw.uniform(0.4, 0.9), draw.uniform(0.95, 1.4)
    a = draw.uniform(0.5, 1.5)
    b = a * np.sin(beta) / np.sin(alpha)
    first = draw.uniform(0.5, 2.5)
    # spherical linkage: tan(first
    # 2) tan(second
    # 2) = sin((beta + alpha)
    # 2)
    # sin((beta - alpha)
    # 2)
    ratio = np.sin(0.5 * (beta + alpha)) / np.sin(0.5 * (beta - alpha))
    second = 2.0 * np.arctan2(ratio, np.tan(0.5 * first))
    hinges = {"link1": ("base", [0, 0, 0], 0.0, first), "link2": ("link1", [a, 0, 0], alpha, second - 2.0 * np.pi),
              "link3": ("link2", [b, 0, 0], beta, -first)}  # fmt: skip
    for (name, (parent, origin, twist, angle)), length in zip(hinges.items(), (a, b, a), strict=True):
        joint = {"kind": "revolute", "parent": parent, "origin": origin, "orientation": {"euler": [twist, 0, 0]},
                 "position": angle}  # fmt: skip
        machine.body(name, **rod(length), joint=joint)
    machine.closure("hinge4", kind="revolute", bodies=["link3", "base"], points=[[a, 0, 0], [-b, 0, 0]],
                    axes=[[0, -np.sin(alpha), np.cos(alpha)], [0, np.sin(beta), np.cos(beta)]])  # fmt: skip


def bricard(draw: Draw, machine: Machine) -> None:
    """Six hinges at right angles, at the corners of a cube of any size."""
    size = draw.uniform(0.5, 1.5)
    edges = size * EDGES
    for k in range(RODS):
        joint = {"kind": "revolute", "axis": AXES[k].tolist(), "parent": f"rod {k}" if k else "base"}
        joint |= {"origin": edges[k - 1].tolist()} if k else {}
        link = {"length": size, "axis": EDGES[k].tolist()}
        machine.body(f"rod {k + 1}", mass=1.0, com=(0.5 * edges[k]).tolist(), rod=link, joint=joint)
    machine.closure("last hinge", kind="revolute", bodies=["rod 5", "base"], axes=[AXES[5].tolist()] * 2,
                    points=[edges[4].tolist(), edges[:RODS].sum(axis=0).tolist()])  # fmt: skip


LOOPS = (four_bar, hinged_four_bar, triple_crank, bennett, bricard)


if __name__ == "__main__":
    for words in failures(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else SEED):
        print(*words, sep=" | ", flush=True)
