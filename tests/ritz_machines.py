"""Bodies on Ritz cables of every sort, at a random state, for the tests."""

import numpy as np

from taut.build.cables.ritz_tables import RitzSpec
from taut.build.tree import RigidBody, TreeBuilder
from taut.model.enums import ClosureKind, JointKind
from taut.scenario.signals.pieces import local_pieces

ORIGIN = (0.0, 0.0, 0.0)
SORTS = {
    "all fields, actual tension": {"lateral": 4, "has_torsion": True, "is_actual": True, "is_carried": True},
    "as published": {"lateral": 3, "has_torsion": True, "is_actual": False, "is_carried": False},
    "no torsion": {"lateral": 2, "has_torsion": False, "is_actual": True, "is_carried": False},
    "no lateral motion": {"lateral": 0, "has_torsion": True, "is_actual": False, "is_carried": True},
}


def cubic(builder, rng, value, size):
    """A signal near a value, with all its derivatives."""
    terms = local_pieces(np.array([0.0, 1.0]), np.array([[value, *(size * rng.normal(size=3))]]))
    return builder.add_signal([terms])


def cable_spec(builder, rng, sort, *, is_linear):
    """A soft cable of 10 m, so that no term of the equations is negligible."""
    keys = SORTS[sort]
    twist = {"turn_stiffness": 5.0, "turn_inertia": 0.02, "coupling": 20.0, "turn_damping": 0.3}
    return RitzSpec(modes=3, is_linear=is_linear, start=tuple(rng.normal(size=3)), length=10.0, line_density=0.8,
                    axial_stiffness=900.0, axial_damping=7.0, lateral_damping=0.4, tension=30.0,
                    feed=cubic(builder, rng, 1.1, 0.05),
                    signal=tuple(cubic(builder, rng, 0.1, 0.3) for _ in range(3)), **keys,
                    **(twist if keys["has_torsion"] else {}))  # fmt: skip


def suspended(sort, seed=0, *, is_linear=False):
    """A body on two cables of a sort, its rows all held; far from closed."""
    rng, builder = np.random.default_rng(seed), TreeBuilder()
    kind = JointKind.SMALL if is_linear else JointKind.FREE
    place = [*rng.normal(size=3), *(0.2 * rng.normal(size=3))] if is_linear else [*rng.normal(size=3), 1, 0, 0, 0]
    inertia = RigidBody(4.0, ORIGIN if is_linear else (0.1, 0.2, 0.3), np.diag([1.0, 2.0, 2.5]))
    body = builder.add_node("body", kind, 0, inertia, position=place, velocity=0.3 * rng.normal(size=6))
    for k in range(2):
        spec = cable_spec(builder, rng, sort, is_linear=is_linear)
        count = len(spec.rotations())
        # a random generator of its own, so that fewer coordinates change no other number
        position = 0.2 * np.random.default_rng([seed, k]).normal(size=count)
        node = builder.add_ritz(f"rope {k}", spec, position)
        anchor = rng.normal(size=3)
        turned = ClosureKind.TURN if is_linear else ClosureKind.UNIVERSAL
        closure = turned if spec.has_torsion else ClosureKind.POINT
        directions = (bool(spec.lateral), bool(spec.lateral), False)
        if spec.lateral or spec.has_torsion:
            axes = (np.eye(3), np.roll(np.eye(3), -1, axis=0))
            builder.add_closure(f"rope {k}.anchor", closure, (node, body), (ORIGIN, anchor), axes=axes,
                                directions=directions)  # fmt: skip
        builder.add_closure(f"rope {k}.pull", ClosureKind.POINT, (body, node), (anchor, ORIGIN),
                            directions=(False, False, True))  # fmt: skip
    return builder.finish()
