"""The bodies, joints and closures that a crane is made of."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.scenario.records.body import Body
from taut.scenario.records.closure import Closure
from taut.scenario.records.failure import Failure
from taut.scenario.records.joint import Joint
from taut.scenario.records.laws import LawBacklash
from taut.scenario.records.shapes import Rod, box_inertia

from .crane import Crane, CraneCarrier, CraneLink

PAYLOAD, GRIP = "payload", "payload-grip"
SWING, ACROSS = (0.0, -1.0, 0.0), (1.0, 0.0, 0.0)
Named = tuple[str, Body, str]  # name of a body, the body, and the key path of the record it was made from


def crane_parts(crane: Crane) -> Iterator[Named]:
    """Yield every body of a crane, parents first."""
    parent, height = "world", crane.height
    if crane.bridge is not None:
        yield from _carrier("bridge", crane.bridge, (0.0, 1.0, 0.0), parent, height)
        parent, height = "bridge", 0.0
    yield from _carrier("trolley", crane.trolley, (1.0, 0.0, 0.0), parent, height)
    yield from _ropes(crane) if crane.ropes else _chain(crane)
    yield from _gripped(crane)


def _gripped(crane: Crane) -> Iterator[Named]:
    """The payload that a link grips: free to move against its end, once its grip (a closure) is gone."""
    grip = crane.grip()
    if grip is None:
        return
    payload, origin = grip.payload, (0.0, 0.0, -grip.payload.below)
    if crane.kind == "planar":
        joint = Joint(kind="planar", parent=grip.hook, origin=origin)
    else:
        seat = Body(massless=True, joint=Joint(kind="point", parent=grip.hook, origin=origin))
        yield f"{PAYLOAD}-seat", seat, grip.path
        joint = Joint(kind="spherical", parent=f"{PAYLOAD}-seat")
    yield PAYLOAD, Body(mass=payload.mass, box=payload.box, joint=joint), grip.path


def _carrier(name: str, carrier: CraneCarrier, axis: Any, parent: str, height: float) -> Iterator[Named]:
    origin = (0.0, 0.0, height)
    rail: dict[str, Any] = {"kind": "prismatic", "axis": axis, "parent": parent, "origin": origin}
    if carrier.motion is not None:
        yield name, Body(mass=carrier.mass, joint=Joint(**rail, motion=carrier.motion)), name
        return
    state: dict[str, Any] = {"position": carrier.position, "velocity": carrier.velocity}
    acting: dict[str, Any] = {
        "friction": carrier.friction,
        "spring": carrier.spring,
        "actuated": carrier.force is not None,
    }
    if carrier.backlash is None:
        yield name, Body(mass=carrier.mass, joint=Joint(**rail, **state, **acting, force=carrier.force)), name
        return
    play = carrier.backlash
    motor = Joint(**rail, **state, force=carrier.force, actuated=carrier.force is not None)
    yield f"{name}-motor", Body(mass=play.motor_mass, joint=motor), f"{name}.backlash"
    law = LawBacklash(law="backlash", gap=play.gap, stiffness=play.stiffness, damping=play.damping)
    # the friction of the rail acts on the carrier, which moves with its motor as long as the play is small
    joint = Joint(kind="prismatic", axis=axis, parent=f"{name}-motor", spring=law, friction=carrier.friction)
    yield name, Body(mass=carrier.mass, joint=joint), name


def _chain(crane: Crane) -> Iterator[Named]:
    parent, arm, number = "trolley", 0.0, 0
    for i, link in enumerate(crane.links):
        for k in range(link.count):
            # a link of several pieces has its angle in the first piece; the others continue straight
            link = link.model_copy(update={"angle": 0.0, "rate": 0.0}) if k > 0 else link
            number += 1
            path = f"links[{i}]"
            name = link.name or f"link{number}"
            if link.is_variable():
                yield from _variable(crane, link, name, (parent, arm), path)
                parent, arm = name, 0.0
            elif link.name is not None:
                yield f"{name}-rope", _link_body(crane, link, (parent, arm), with_end=False), path
                hold = Joint(kind="fixed", parent=f"{name}-rope", origin=(0.0, 0.0, -link.length))
                yield name, _end_body(link, hold), path
                parent, arm = name, 0.0
            else:
                yield name, _link_body(crane, link, (parent, arm), with_end=True), path
                parent, arm = name, link.length / link.count


def _hinge(crane: Crane, link: CraneLink, place: tuple[str, float]) -> Joint:
    parent, arm = place
    given: dict[str, Any] = {"parent": parent, "origin": (0.0, 0.0, -arm), "spring": link.bending,
                             "friction": link.friction}  # fmt: skip
    pair = [value if isinstance(value, tuple) else (value, 0.0) for value in (link.angle, link.rate)]
    if crane.kind == "planar":
        return Joint(kind="revolute", axis=SWING, position=pair[0][0], velocity=pair[1][0], **given)
    return Joint(kind="universal", axes=(SWING, ACROSS), position=pair[0], velocity=pair[1], **given)


def _link_body(crane: Crane, link: CraneLink, place: tuple[str, float], *, with_end: bool) -> Body:
    """A hinged link of fixed length, with the rod's mass and perhaps that of its end."""
    length, rod = link.length / link.count, link.rod_mass / link.count
    end = link.mass / link.count if with_end else 0.0
    hinge = _hinge(crane, link, place)
    if not rod and not end:
        return Body(massless=True, joint=hinge)
    mass = rod + end
    com = -(rod * length / 2 + end * length) / mass
    turn = rod * length**2 / 12 + rod * (length / 2 + com) ** 2 + end * (length + com) ** 2
    inertia = np.array([turn, turn, 0.0])
    if with_end:
        inertia += _end_inertia(link, end)
    return Body(mass=mass, com=(0.0, 0.0, com), inertia=tuple(inertia), joint=hinge)


def _end_inertia(link: CraneLink, mass: float) -> np.ndarray:
    if link.box is not None:
        return np.diag(box_inertia(mass, link.box))
    return np.array(link.inertia or (0.0, 0.0, 0.0)) / link.count


def _end_body(link: CraneLink, joint: Joint) -> Body:
    """The mass at the end of a link."""
    if not link.mass:
        return Body(massless=True, joint=joint)
    shape: dict[str, Any] = {"box": link.box} if link.box is not None else {"inertia": link.inertia}
    return Body(mass=link.mass, joint=joint, **shape)


def _variable(crane: Crane, link: CraneLink, name: str, place: tuple[str, float], path: str) -> Iterator[Named]:
    """A hinge without mass, and a slider with the mass."""
    yield f"{name}-rope", Body(massless=True, joint=_hinge(crane, link, place)), path
    given: dict[str, Any] = {"kind": "prismatic", "axis": (0.0, 0.0, -1.0), "parent": f"{name}-rope"}
    if link.motion is not None:
        joint = Joint(**given, motion=link.motion)
    else:
        joint = Joint(**given, position=link.length, spring=link.stretch, force=link.hoist_force,
                      actuated=link.hoist_force is not None)  # fmt: skip
    yield name, _end_body(link, joint), path


def is_hoist(name: str, body: Body) -> bool:
    """Whether this body of a crane hangs on a rope whose length is its coordinate."""
    return body.joint.kind == "prismatic" and body.joint.parent == f"{name}-rope"


def _ropes(crane: Crane) -> Iterator[Named]:
    """Each rope a rod on the trolley; the payload hangs on the first, the others are closed to it."""
    payload = crane.payload
    assert payload is not None
    centre = np.array([payload.shift, 0.0, -payload.below])
    for i, rope in enumerate(crane.ropes):
        middle = np.array(rope.payload) + (0.0, 0.0, -payload.below) - np.array(rope.trolley)
        length = float(np.linalg.norm(middle))
        x, y, z = (np.array(rope.payload) + centre - np.array(rope.trolley)) / length
        position: Any = float(np.arctan2(x, -z))
        joint: dict[str, Any] = {"kind": "revolute", "axis": SWING}
        if crane.kind == "spatial":
            position = (position, float(np.arctan2(y, np.hypot(x, z))))
            joint = {"kind": "universal", "axes": (SWING, ACROSS)}
        joint |= {"parent": "trolley", "origin": rope.trolley, "position": position}
        rod = Rod(length=length)
        yield (
            f"rope{i + 1}",
            Body(mass=rope.mass, com=(0.0, 0.0, -length / 2), rod=rod, joint=Joint(**joint)),
            (f"ropes[{i}]"),
        )
        if i == 0:
            hang = (0.0, 0.0, -length)
            level, com = -np.array(_angles(position)), tuple(-np.array(rope.payload))
    yield "payload", Body(mass=payload.mass, box=payload.box, com=com, joint=_hanger(crane, hang, level)), "payload"


def _angles(position: Any) -> tuple[float, ...]:
    return position if isinstance(position, tuple) else (position,)


def _hanger(crane: Crane, hang: Any, level: np.ndarray) -> Joint:
    """The payload's joint at the end of the first rope, turned back so that it starts level."""
    if crane.kind == "planar":
        return Joint(kind="revolute", axis=SWING, parent="rope1", origin=hang, position=float(level[0]))
    from scipy.spatial.transform import Rotation

    turn = Rotation.from_rotvec(np.array(ACROSS) * level[1]) * Rotation.from_rotvec(np.array(SWING) * level[0])
    x, y, z, w = turn.as_quat()
    return Joint(kind="spherical", parent="rope1", origin=hang, position=(float(w), float(x), float(y), float(z)))


def crane_closures(crane: Crane) -> tuple[Closure, ...]:
    """The ropes that close to the payload, all but the first, and the grip of a payload that can be let go."""
    first = np.array(crane.ropes[0].payload) if crane.ropes else np.zeros(3)
    found = []
    for i, rope in enumerate(crane.ropes[1:], 2):
        assert crane.payload is not None
        middle = np.array(rope.payload) + (0.0, 0.0, -crane.payload.below) - np.array(rope.trolley)
        points = ((0.0, 0.0, -float(np.linalg.norm(middle))), tuple(np.array(rope.payload) - first))
        found.append(Closure(name=f"rope{i}-end", kind="point", bodies=(f"rope{i}", "payload"), points=points))
    grip = crane.grip()
    if grip is not None:
        points = ((0.0, 0.0, -grip.payload.below), (0.0, 0.0, 0.0))
        found.append(Closure(name=GRIP, kind="fixed", bodies=(grip.hook, PAYLOAD), points=points))
    return tuple(found)


def crane_failures(crane: Crane) -> tuple[Failure, ...]:
    """The moment at which a crane lets its payload go."""
    grip = crane.grip()
    if grip is None or grip.payload.release is None:
        return ()
    return (Failure(name=f"{PAYLOAD} release", at=grip.payload.release, kind="release", target=GRIP),)
