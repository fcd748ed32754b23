"""Cables without mass, springs between bodies and loop closures of a model as elements of MJCF."""

from typing import Any
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from taut.model import Data, Model
from taut.model.enums import ClosureKind
from taut.robots.exchange.labels import LeftOut
from taut.robots.exchange.write_bodies import BodyWriter, text
from taut.scenario.records.orientation import quaternion_from_rotation

# MuJoCo's parameters of the hardest constraint that it allows at a step of a millisecond
HARD = {"solref": "0.002 1", "solimp": "0.9999 0.9999 0.001 0.5 2"}
MARGIN = "1e-09"  # distance from its largest length at which a cable is held, as text for MuJoCo [m]
LEVER = 1.0  # distance from the hinge of the second point on its axis, which keeps the axes of both bodies parallel [m]


class CableWriter:
    """Tendons and equality constraints with the sites they need."""

    def __init__(self, model: Model, data: Data, bodies: BodyWriter, left: LeftOut) -> None:
        """Write all cables; ``data`` is the placed start state."""
        self.model, self.data, self.bodies, self.left = model, data, bodies, left
        self.tendons, self.equalities = Element("tendon"), Element("equality")
        self.owners = {route: name for name, routes in model.names.routes.items() for route in routes}
        for k in range(len(model.tables.tethers)):
            self.add_tether(k, model.tables.tethers[k])
        for k in range(len(model.tables.closures)):
            self.add_closure(model.names.closures[k], model.tables.closures[k])

    def site(self, name: str, node: int, point: Any, R: np.ndarray | None = None) -> str:
        """A site on a node."""
        made = SubElement(self.bodies.elements[node], "site", name=name, pos=text(point), size="0.01")
        if R is not None:
            made.set("quat", text(quaternion_from_rotation(R)))
        return name

    def tendon(self, name: str, number: int) -> Element | None:
        """A tendon along a route; None if it is more than a line through points."""
        route: Any = self.model.tables.routes[number]
        guides = [self.model.tables.guides[k] for k in range(route.guide, route.guide + route.count)]
        reasons = {"drums of cables": route.feeds > 0, "sheaves of cables": route.has_sheaves,
                   "friction of cables on guides": any(guide.friction > 0.0 for guide in guides)}  # fmt: skip
        found = [reason for reason, is_there in reasons.items() if is_there]
        for reason in found:
            self.left.add(f"{reason}, which are left out altogether", name)
        if found:
            return None
        made = SubElement(self.tendons, "spatial", name=name, width="0.005")
        for k, guide in enumerate(guides):
            SubElement(made, "site", site=self.site(f"{name} site {k + 1}", int(guide.node), guide.point))
        return made

    def add_tether(self, k: int, tether: Any) -> None:
        """Add a cable that stretches, or a spring."""
        name = self.owners.get(int(tether.route)) or self.spring_name(k)
        made = self.tendon(name, int(tether.route))
        if made is None:
            return
        length = float(tether.length)
        if tether.signal >= 0:
            length *= float(self.data.signals[tether.signal, 0])
            self.left.add("lengths that change, of cables", name)
        made.set("stiffness", text([tether.stiffness / length]))
        made.set("springlength", text([length] if tether.is_two_sided else [0.0, length]))
        if tether.damping:
            made.set("damping", text([tether.damping / length]))
            if not tether.is_two_sided:
                self.left.add("damping only while they are taut, of cables (MuJoCo's dampers act always)", name)

    def spring_name(self, k: int) -> str:
        """Name of a spring between bodies: those are the tethers of no cable, in the order of the scenario."""
        tethers = self.model.tables.tethers
        number = sum(int(tethers[i].route) not in self.owners for i in range(k))
        springs = self.model.scenario.springs if self.model.scenario is not None else ()
        return springs[number].name if number < len(springs) else f"spring {number + 1}"

    def add_closure(self, name: str, closure: Any) -> None:
        """Add a closure by its kind."""
        kind = ClosureKind(int(closure.kind))
        if kind not in (ClosureKind.DISTANCE, ClosureKind.COORDINATE) and not self.is_whole(closure):
            self.left.add("points that are held on one side or in some directions only, left out altogether", name)
            return
        if (np.array(closure.signal) >= 0).any() and kind == ClosureKind.POINT:
            self.left.add("prescribed motions, which stand still here, of", name)
        if kind == ClosureKind.DISTANCE:
            self.add_distance(name, closure)
        elif kind == ClosureKind.COORDINATE:
            self.add_coordinate(name, closure)
        elif kind == ClosureKind.FIXED:
            R_a, R_b = (np.array(axes).reshape(3, 3).T for axes in (closure.axis_a, closure.axis_b))
            self.equal("weld", name, closure, (R_a, R_b))
        else:
            self.equal("connect", name, closure)
            if kind == ClosureKind.REVOLUTE:
                self.add_second_point(name, closure)
            elif kind != ClosureKind.POINT:
                self.left.add(f"axes of {kind.name.lower()} closures (the points are kept)", name)

    def is_whole(self, closure: Any) -> bool:
        """Whether points are held in all directions; in a planar machine none can leave the plane."""
        scenario = self.model.scenario
        crane = scenario.crane if scenario is not None else None
        is_flat = scenario is not None and (scenario.planar or (crane is not None and crane.kind == "planar"))
        return not closure.is_unilateral and bool(is_flat or np.array(closure.point_rows).all())

    def equal(self, tag: str, name: str, closure: Any, axes: Any = (None, None), lever: Any = (0.0, 0.0)) -> None:
        """Hold two sites together by an equality constraint."""
        ends = (
            (closure.node_a, closure.point_a + lever[0], axes[0]),
            (closure.node_b, closure.point_b + lever[1], axes[1]),
        )
        sites = [
            self.site(f"{name} {end}", int(node), point, R) for end, (node, point, R) in zip("ab", ends, strict=True)
        ]
        SubElement(self.equalities, tag, {"name": name, "site1": sites[0], "site2": sites[1]} | HARD)

    def add_second_point(self, name: str, closure: Any) -> None:
        """Hold a second point on the axis of a hinge."""
        axes = [np.array(axis[:3]) for axis in (closure.axis_a, closure.axis_b)]
        worlds = [self.bodies.pose(int(node))[0] @ axis
                  for node, axis in zip((closure.node_a, closure.node_b), axes, strict=True)]  # fmt: skip
        sense = 1.0 if worlds[0] @ worlds[1] > 0.0 else -1.0
        self.equal("connect", f"{name} axis", closure, lever=(LEVER * axes[0], sense * LEVER * axes[1]))

    def add_distance(self, name: str, closure: Any) -> None:
        """Add a cable that does not stretch, or a rod."""
        owner = self.owners.get(int(closure.route)) or name
        made = self.tendon(owner, int(closure.route))
        if made is None:
            return
        length = float(closure.start)
        if closure.signal[0] >= 0:
            length += float(self.data.signals[closure.signal[0], 0])
            self.left.add("lengths that change, of cables", owner)
        if closure.is_unilateral:
            made.set("limited", "true")
            made.set("range", text([0.0, length]))
            # with this margin MuJoCo holds a cable that is just taut at the start
            made.set("margin", MARGIN)
            made.set("solreflimit", HARD["solref"])
            made.set("solimplimit", HARD["solimp"])
        else:
            # without numbers MuJoCo keeps the length at its reference position, where all loops are closed
            SubElement(self.equalities, "tendon", {"name": f"{owner} length", "tendon1": owner} | HARD)

    def add_coordinate(self, name: str, closure: Any) -> None:
        """Hold a coordinate that follows a signal where it is."""
        if closure.groove:
            self.left.add("ropes that leave a sheave across its plane", name)
            return
        self.left.add("prescribed motions, which stand still here, of", name)
        joint = self.model.names.columns[int(closure.column)]
        SubElement(self.equalities, "joint", {"name": name, "joint1": joint, "polycoef": "0 0 0 0 0"} | HARD)
