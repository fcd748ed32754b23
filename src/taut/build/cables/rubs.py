"""Friction at guides: where a rope is cut for it, and the coordinate of what slips there."""

import math
from dataclasses import dataclass
from typing import Any

from taut.build.cables.route_tables import CapstanSpec
from taut.build.context import Context
from taut.build.tree import ColumnSpec
from taut.model.enums import CapstanKind, JointKind
from taut.scenario.cables.guide import Sheave
from taut.scenario.cables.ways import Laid

WORLD = 0
NO_MASS = 1e-6  # a body lighter than this, relative to the heaviest, stands for a force alone
# inertia given to slipping rope, which has none, relative to the lightest body that the rope touches. On an ideal rope
# it makes accelerations wrong by this share; less of it would make rounding as wrong. On an elastic rope it vibrates
# far faster than any step, and is damped so that the vibration dies out if a step is short after all
IDEAL_INERTIA, SPRING_INERTIA, SPRING_DAMPING = 1e-8, 1e-14, 0.1


@dataclass(frozen=True)
class Rub:
    """Friction where a piece of a rope ends."""

    kind: CapstanKind
    node: int  # node whose coordinate the friction resists
    count: int = 1  # number of guides whose friction this is
    arm: float = 0.0
    mass: float = 0.0


def friction_numbers(guide: Any) -> tuple[float, float, float]:
    """Coefficient of the rope, friction radius of the bearing over the sheave's, -ln of the efficiency; -1 for none."""
    if not isinstance(guide, Sheave):
        return guide.friction or -1.0, -1.0, -1.0
    bearing, loss = -1.0, -1.0
    if guide.bearing is not None and guide.inertia == 0.0:
        bearing = guide.bearing.friction * guide.bearing.radius / guide.radius
    if guide.efficiency is not None:
        loss = -math.log(guide.efficiency)
    return -1.0 if guide.friction is None else guide.friction, bearing, loss


def cuts_of(cable: Any) -> dict[int, int]:
    """Guides, counted from 1, where a rope is cut, and how many guides the friction there stands for.

    Spans between guides on one body keep their length. Of a rope that does not stretch their tensions are determined
    only where it slips, on all these guides at once: so their friction acts together, at the last of them.
    """
    found: dict[int, int] = {}
    first, run = 0, None  # first guide with friction in a row of guides on one body, and that body
    for k, guide in enumerate(cable.via, 1):
        has_wheel = isinstance(guide, Sheave) and guide.inertia > 0.0
        if has_wheel or guide.body != run:
            first, run = 0, None
        if has_wheel:
            found[k] = 1
        elif guide.rubs:
            # guides in a row on one body share one cut, which moves on to the last of them
            for other in range(first, k) if first and cable.kind == "ideal" else ():
                found.pop(other, None)
            first, run = (first or k, guide.body) if cable.kind == "ideal" else (0, None)
            found[k] = k - first + 1 if first else 1
    return found


def add_slip(context: Context, cable: Any, k: int, laid: Laid) -> int:
    """The coordinate of what has slipped over a guide towards the anchor."""
    lightest = lightest_body(context, cable)
    if cable.kind == "ideal":
        column = ColumnSpec(armature=IDEAL_INERTIA * lightest, is_capstan=True, is_slip=True)
    else:
        mass = SPRING_INERTIA * lightest
        EA = cable.axial_rigidity(laid.length)
        stiffness = EA * sum(1.0 / float(laid.trace.spans[j, 0]) for j in (k - 1, k))
        viscous = 2.0 * SPRING_DAMPING * math.sqrt(stiffness * mass)
        column = ColumnSpec(armature=mass, viscous=viscous, is_capstan=True, is_slip=True)
    return context.tree.add_node(f"{cable.name}.guide{k}", JointKind.PRISMATIC, WORLD, columns=[column], position=[0.0])


def lightest_body(context: Context, cable: Any) -> float:
    """Mass of the lightest body that a rope touches, without such as hardly count [kg]."""
    names = {cable.body, getattr(cable, "exit_body", None), *(guide.body for guide in cable.via)} - {None, "world"}
    masses = [context.tree.nodes[context.handles[name]].body.mass for name in names if name in context.handles]
    return min((mass for mass in masses if mass > NO_MASS * max(masses)), default=1.0)


def add_rubs(context: Context, cable: Any, rubs: list[tuple[Rub, ...]]) -> None:
    """Friction between the pieces of a cable, which are added already; ``rubs`` by piece."""
    pieces = context.tree.pieces[cable.name]
    for k, here in enumerate(rubs):
        for rub in here:
            ends = pieces[k], pieces[k + 1]
            context.tree.capstans.append(CapstanSpec(rub.kind, ends, rub.node, rub.count, rub.arm, rub.mass))
