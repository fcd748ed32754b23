"""Friction of the ground: what holds does not move, what does not hold slips, against closed forms.

A plate so thin that it does not tip lies on the ground, on an incline (gravity leans) or under a side force; on springs
(compliant ground), and rigidly (``rigid_friction`` has more of that).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import taut
from taut.results.result import Result
from taut.verify.quantity import Quantity, at_most

# mass [kg], coefficient of friction, stiffness of the ground [N/m], weight [N]
MASS, FRICTION, STIFFNESS, WEIGHT = 10.0, 0.5, 1e7, 98.1
LIMIT = FRICTION * WEIGHT
PRESLIDING = 1e-6  # presliding distance [m]
SOURCE = "closed form"
METHODS = ("radau", "generalized-alpha", "nonsmooth-alpha")


def plate(
    duration: float, *, force: Any = 0.0, velocity: Any = (0, 0, 0), incline: float = 0.0, is_rigid: bool = False
) -> Any:
    """A plate on the ground; ``velocity`` is x', y' and the spin, ``incline`` the angle of the ground [rad]."""
    down = WEIGHT / MASS * np.array([np.sin(incline), 0.0, -np.cos(incline)])
    machine = taut.Machine("plate on the ground", gravity=down.tolist())
    sunk = 0.0 if is_rigid else MASS * down[2] / STIFFNESS
    machine.platform(mass=MASS, box=[0.4, 0.3, 1e-4], position=[0, 0, 5e-5 + sunk],
                     velocity=[*velocity[:2], 0], angular_velocity=[0, 0, velocity[2]])  # fmt: skip
    law = {"law": "rigid"} if is_rigid else {"stiffness": STIFFNESS, "damping": 1e4}
    machine.ground(**law, friction=FRICTION, presliding=PRESLIDING)
    machine.force(body="platform", force=[force, 0, 0])
    return machine.run(duration=duration, save_every=duration / 100)


def slide(duration: float, method: str = "radau", **given: Any) -> Result:
    """Run a plate from the state as given."""
    return taut.simulate(taut.build(plate(duration, **given).scenario()), integrator=method)


def rest(duration: float, **given: Any) -> Result:
    """Run a plate from its rest."""
    return taut.simulate(taut.build(plate(duration, **given).initial(solve="equilibrium").scenario()))


def way(result: Result) -> np.ndarray:
    """Horizontal way of the plate since the start [sample, 2]."""
    places = result["body_position"].values[:, 0, :2]
    return places - places[0]


def first(result: Result, what: str) -> float:
    """Time of the first event of a kind [s]."""
    return next((event["time"] for event in result.events if event["what"] == what), np.nan)


def quantities() -> Iterator[Quantity]:
    """Run loads on ground with friction, and compare with closed forms."""
    for is_rigid in (False, True):
        yield from held(is_rigid=is_rigid)
        yield from pulled(is_rigid=is_rigid)
        yield from stopped(is_rigid=is_rigid)


def on(*, is_rigid: bool) -> str:
    """Kind of ground in words, for names of quantities."""
    return "rigid ground" if is_rigid else "springs"


def held(*, is_rigid: bool) -> Iterator[Quantity]:
    """Quantities of plates held below the limit for a minute, from rest and loaded at once."""
    where = on(is_rigid=is_rigid)
    for share in (0.83, 0.99):
        run = rest(60.0, force=share * LIMIT, is_rigid=is_rigid)
        most = float(np.linalg.norm(way(run), axis=1).max())
        yield at_most(f"way of a plate at {share:.0%} of its friction in 60 s, {where}", most, 1e-6, "it sticks", "m")
        yield at_most(
            f"steps for it, {share:.0%}, {where}", float(run.audit["steps"]["accepted"]), 50.0, "nothing is stiff"
        )
        run = rest(60.0, incline=float(np.arctan(share * FRICTION)), is_rigid=is_rigid)
        most = float(np.linalg.norm(way(run), axis=1).max())
        yield at_most(f"way on an incline, {share:.0%}, in 60 s, {where}", most, 1e-6, "it sticks", "m")
        run = slide(60.0, force=share * LIMIT, is_rigid=is_rigid)
        found = float(np.linalg.norm(way(run), axis=1).max())
        yield at_most(f"way at {share:.0%} put on at once, {where}", found, 1e-6, "the ground gives and holds", "m")


def pulled(*, is_rigid: bool) -> Iterator[Quantity]:
    """Quantities of plates pulled loose by a growing force, and on an incline beyond the limit."""
    where = on(is_rigid=is_rigid)
    for method in METHODS[:2] if is_rigid else METHODS:
        run = slide(0.8, method, force="100*t", is_rigid=is_rigid)
        yield Quantity(f"a plate slips at, {method}, {where}", first(run, "slips"), LIMIT / 100, 2e-6, SOURCE, "s")
        true = 100 / (6 * MASS) * (0.8 - LIMIT / 100) ** 3
        yield Quantity(f"and is at 0.8 s at, {method}, {where}", float(way(run)[-1, 0]), true, 3e-6, SOURCE, "m")
    angle = float(1.2 * np.arctan(FRICTION))
    run = slide(1.0, incline=angle, velocity=(0.1, 0, 0), is_rigid=is_rigid)
    true = 0.1 + 0.5 * WEIGHT / MASS * (np.sin(angle) - FRICTION * np.cos(angle))
    yield Quantity(f"way in 1 s down an incline of 120 %, {where}", float(way(run)[-1, 0]), true, 2e-6, SOURCE, "m")


def stopped(*, is_rigid: bool) -> Iterator[Quantity]:
    """Quantities of plates that come to rest: thrown in a direction between the axes, and spinning as they slide."""
    speed, direction, where = 1.25, np.array([0.8, 0.6]), on(is_rigid=is_rigid)
    for method in METHODS[:2] if is_rigid else METHODS:
        run = slide(0.5, method, velocity=[*(speed * direction), 0.0], is_rigid=is_rigid)
        true = speed / (FRICTION * WEIGHT / MASS)
        found = first(run, "sticks")
        yield Quantity(f"a plate of {speed} m/s stops at, {method}, {where}", found, true, 1e-6, SOURCE, "s")
        end = way(run)[-1]
        yield Quantity(
            f"and stays at, {method}, {where}", float(end @ direction), 0.5 * speed * true, 2e-6, SOURCE, "m"
        )
        yield at_most(
            f"energy that its audit misses, {method}, {where}",
            run.audit["energy"]["relative"],
            1e-6,
            "works of friction",
        )
    run = slide(0.6, velocity=(1.0, 0.5, 6.0), is_rigid=is_rigid)
    found = np.array([*way(run)[-1], turn(run)])
    off = float(np.abs(found - slid(np.array([1.0, 0.5, 6.0]))).max())
    yield at_most(f"end of a spinning plate against four points, {where}", off, 1e-5, "own integration", "m")


def turn(result: Result) -> float:
    """Angle of the plate at the end [rad]."""
    q = result["body_quaternion"].values[-1, 0]
    return 2.0 * float(np.arctan2(q[3], q[0]))


def slid(v: np.ndarray) -> np.ndarray:
    """Where a plate stops that slides on four corners with a quarter of its weight each: x, y, turn."""
    corners = np.array([[i, j] for i in (-0.2, 0.2) for j in (-0.15, 0.15)])
    x, h, inertia = np.zeros(3), 1e-5, MASS / 12 * (0.4**2 + 0.3**2)

    def rate(x: np.ndarray, v: np.ndarray) -> np.ndarray:
        c, s = np.cos(x[2]), np.sin(x[2])
        d = corners @ np.array([[c, s], [-s, c]])
        u = v[:2] + v[2] * np.stack([-d[:, 1], d[:, 0]], axis=1)
        F = -0.25 * LIMIT * u / np.maximum(np.linalg.norm(u, axis=1), 1e-12)[:, None]
        return np.array([*F.sum(axis=0) / MASS, np.sum(d[:, 0] * F[:, 1] - d[:, 1] * F[:, 0]) / inertia])

    while np.linalg.norm(v) > 1e-4:
        middle = v + 0.5 * h * rate(x, v)
        x, v = x + h * middle, v + h * rate(x + 0.5 * h * v, middle)
    return x
