"""Faults planted into the engine's algorithms, with the JIT off: a term is dropped or has the wrong sign."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from taut.dynamics import inverse, residual
from taut.dynamics.constraints import closures
from taut.dynamics.tree import kinematics
from taut.kernels.vec3 import cross3, load3, store3, sub3

Plant = Callable[[], list[tuple[Any, str, Any]]]  # module, name, faulted function


@contextmanager
def planted(plant: Plant) -> Iterator[None]:
    """Context in which the engine has the fault."""
    found = plant()
    kept = [(module, name, getattr(module, name)) for module, name, _ in found]
    try:
        for module, name, function in found:
            setattr(module, name, function)
        yield
    finally:
        for module, name, function in kept:
            setattr(module, name, function)


def no_gyroscopic() -> list[tuple[Any, str, Any]]:
    """Leave out w x I w of bodies."""
    right = inverse.body_wrench

    def wrench(node: Any, here: Any, w: Any) -> Any:
        N, F = right(node, here, w)
        R = here.R.reshape(3, 3)
        half = np.zeros((3, 3))
        half[np.triu_indices(3)] = node.inertia
        inertia = R @ (half + np.triu(half, 1).T) @ R.T
        return sub3(N, cross3(w, tuple(inertia @ np.array(w)))), F

    return [(inverse, "body_wrench", wrench)]


def no_velocity_products() -> list[tuple[Any, str, Any]]:
    """Leave out the velocity-product accelerations of the joints."""
    right = kinematics.node_velocity

    def velocity(model: Any, data: Any, i: int, *others: Any) -> Any:
        motion = right(model, data, i, *others)
        store3(data.nodes[i].bias_w, (0.0, 0.0, 0.0))
        return motion

    return [(kinematics, "node_velocity", velocity)]


def no_centripetal_closure() -> list[tuple[Any, str, Any]]:
    """The wrench of the first closure acts on one of its ends only: action without reaction."""

    def wrenches(model: Any, data: Any, lam: Any) -> None:
        for j, closure in enumerate(model.closures):
            for row in range(closure.row, closure.row + closure.row_count):
                here = data.rows[row]
                closures.add_wrench(data.nodes[closure.node_a], lam[row], load3(here.N_a), load3(here.F_a))
                if j > 0:
                    closures.add_wrench(data.nodes[closure.node_b], lam[row], load3(here.N_b), load3(here.F_b))

    return [(residual, "add_closure_wrenches", wrenches)]


def dropped_multiplier() -> list[tuple[Any, str, Any]]:
    """The first row's multiplier does not act."""
    right = residual.add_closure_wrenches

    def wrenches(model: Any, data: Any, lam: Any) -> None:
        other = np.array(lam)
        other[0] = 0.0
        right(model, data, other)

    return [(residual, "add_closure_wrenches", wrenches)]


def closure_left_open() -> list[tuple[Any, str, Any]]:
    """The first closure is never closed."""
    right = residual.closures

    def rows(model: Any, data: Any) -> None:
        right(model, data)
        closures.clear_rows(model, model.closures[0], data)

    return [(residual, "closures", rows)]


def friction_sign() -> list[tuple[Any, str, Any]]:
    """Friction drives instead of braking."""
    from taut.dynamics.forces import acting as forces

    right = forces.friction_force

    def force(law: Any, v: Any, modes: Any) -> Any:
        return -right(law, v, modes)

    return [(forces, "friction_force", force)]


def no_sideways_lever() -> list[tuple[Any, str, Any]]:
    """Let applied forces act at the body's origin instead of their point."""
    from taut.dynamics.forces import acting as forces

    def zero(a: Any, b: Any) -> Any:
        return (0.0, 0.0, 0.0)

    return [(forces, "cross3", zero)]
