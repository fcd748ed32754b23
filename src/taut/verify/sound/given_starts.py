"""What is given at the start stays while loops are closed, and what cannot stay is said."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import taut
from taut.integrate.start.start_state import Start
from taut.verify.quantity import Quantity, at_most

AS_GIVEN = "as given"
# angles of the legs' lower and upper ends [degrees]
BASE, TOP = (-10, 10, 110, 130, 230, 250), (-50, 50, 70, 170, 190, 290)
RADII = (0.7, 0.35)  # radii of the circles on which the legs' lower and upper ends lie [m]
HEIGHT, LEG = 0.9, 0.9  # height of the platform and length of the legs, which are too short for it [m]


def quantities() -> Iterator[Quantity]:
    """A platform on legs, a crank of a linkage, a load on a cable that is too short."""
    yield from platform_on_legs()
    yield from crank_of_linkage()
    yield from load_on_short_cable()


def platform_on_legs() -> Iterator[Quantity]:
    """The pose is kept, and the lengths of the legs adapt."""
    model = taut.build(legged(HEIGHT))
    start = taut.start_state(model)
    z = float(start.data.nodes["x"][model.names.bodies["platform"], 2])
    yield Quantity("platform on six legs, its height at the start", z, HEIGHT, 1e-12, AS_GIVEN, "m")
    leg = coordinate(model, start, "upper1")
    yield Quantity("length of a leg there", leg, float(np.linalg.norm(ends()[1][0] - ends()[0][0])), 1e-9,
                   "distance of its ends", "m")  # fmt: skip
    said = sum(one.what == "joint" for one in start.moved)
    yield Quantity("legs that are said to differ from their given lengths", float(said), 6.0, 0.0, "what moved")


def crank_of_linkage() -> Iterator[Quantity]:
    """Angle and rate of the crank stay; the other links, of which nothing is said, follow."""
    model = taut.build(linkage())
    start = taut.start_state(model)
    yield Quantity("given crank of a four-bar", coordinate(model, start, "crank"), 1.2, 1e-15, AS_GIVEN, "rad")
    yield Quantity("its given rate", float(start.data.v[model.names.columns.index("crank")]), 2.0, 1e-12, AS_GIVEN,
                   "rad/s")  # fmt: skip
    yield at_most("what is open of its loop", start.error, 1e-10, "our limit", "m")


def load_on_short_cable() -> Iterator[Quantity]:
    """Where nothing can adapt, the cable keeps its length, the load moves, and that is said."""
    machine = taut.Machine("load on a short cable")
    machine.platform(mass=10.0, box=[0.1, 0.1, 0.1], position=[0.0, 0.0, -1.1])
    machine.cable("rope", kind="ideal", exit=[0.0, 0.0, 0.0], anchor=[0.0, 0.0, 0.0], length=1.0)
    model = taut.build(machine.scenario())
    start = taut.start_state(model)
    z = float(start.data.nodes["x"][model.names.bodies["platform"], 2])
    yield Quantity("load on a cable that is too short, its height", z, -1.0, 1e-9, "the cable's length", "m")
    said = sum(one.distance for one in start.moved if one.name == "platform")
    yield Quantity("how far it is said to have moved", said, 0.1, 1e-9, "closed form", "m")


def coordinate(model: Any, start: Start, body: str) -> float:
    """Coordinate of a body's joint."""
    return float(start.data.q[int(model.tables.nodes[model.names.bodies[body]].coordinate)])


def ends() -> tuple[np.ndarray, np.ndarray]:
    """Ends of the legs on the ground and on the platform at its height, world [m]."""
    places = [radius * np.column_stack([np.cos(angle), np.sin(angle)])
              for radius, angle in zip(RADII, np.radians([BASE, TOP]), strict=True)]  # fmt: skip
    heights = (0.0, HEIGHT - 0.02)
    return tuple(np.column_stack([place, np.full(6, z)]) for place, z in zip(places, heights, strict=True))  # type: ignore[return-value]


def legged(height: float) -> Any:
    """A platform on six legs that stand upright, too short."""
    machine = taut.Machine("platform on six legs")
    machine.platform(mass=50.0, cylinder={"radius": 0.35, "length": 0.04}, position=[0.0, 0.0, height])
    rod = {"com": [0.0, 0.0, 0.325], "cylinder": {"radius": 0.03, "length": 0.65}}
    for k, (foot, head) in enumerate(zip(*ends(), strict=True), 1):
        hinge = {"kind": "universal", "origin": foot.tolist(), "axes": [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]}
        machine.body(f"lower{k}", mass=3.0, joint=hinge, **rod)
        slide = {"kind": "prismatic", "parent": f"lower{k}", "position": LEG, "actuated": True}
        machine.body(f"upper{k}", mass=2.0, joint=slide, **{**rod, "com": [0.0, 0.0, -0.325]})
        point = [*head[:2].tolist(), -0.02]
        machine.closure(f"ball{k}", kind="spherical", bodies=[f"upper{k}", "platform"],
                        points=[[0.0, 0.0, 0.0], point])  # fmt: skip
    return machine.scenario()


def linkage() -> Any:
    """A four-bar linkage of which only the crank's angle and rate are given."""
    machine = taut.Machine("four-bar", planar=True)
    links = (("crank", "world", 0.0, 2.0), ("coupler", "crank", 2.0, 3.5), ("rocker", "world", 4.0, 3.0))
    for name, parent, origin, length in links:
        joint = {"kind": "revolute", "parent": parent, "origin": [origin, 0.0, 0.0]}
        given = {"position": 1.2, "velocity": 2.0} if name == "crank" else {}
        machine.body(name, mass=length, com=[length / 2, 0.0, 0.0], rod={"length": length, "axis": [1.0, 0.0, 0.0]},
                     joint={**joint, **given})  # fmt: skip
    machine.closure("pin", kind="point", bodies=["coupler", "rocker"], points=[[3.5, 0.0, 0.0], [3.0, 0.0, 0.0]])
    return machine.scenario()
