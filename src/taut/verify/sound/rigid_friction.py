"""Friction of rigid ground where its pressure matters: a box that tips, a ball that rolls, and blows.

A box of width b and height h that is pushed at its centre tips about its lower edge, rather than slip, beyond a force
m g b / h, if that is less than friction; the turn is that of one pivot. A ball that slides rolls in the end at 5/7 of
its speed, whatever the friction; one that strikes the ground and does not slide on keeps 5/7 of it at once, and with
less friction loses mu (1 + e) of the speed with which it falls. A box that falls flat slides on with mu of that less.
"""

from collections.abc import Iterator

import numpy as np

import taut
from taut.results.result import Result
from taut.verify.quantity import Quantity, at_most

GRAVITY, WIDTH, HEIGHT, MASS = 9.81, 0.2, 0.6, 10.0
# push on the box [N] and its coefficient of friction: it tips at 32.7 N, and would slip at 49.05 N
PUSH, FRICTION = 40.0, 0.5
FALL = 0.5  # height of a fall [m]


def box(duration: float, *, push: float = 0.0) -> Result:
    """A tall box on rigid ground, pushed at its centre."""
    machine = taut.Machine("box")
    machine.platform(mass=MASS, box=[WIDTH, WIDTH, HEIGHT], position=[0, 0, 0.5 * HEIGHT])
    machine.ground(law="rigid", friction=FRICTION)
    machine.force(body="platform", force=[push, 0, 0])
    return taut.simulate(taut.build(machine.run(duration=duration, save_every=duration / 50).scenario()))


def ball(duration: float, speed: float, *, spin: float = 0.0, fall: float = 0.0, friction: float = 0.3) -> Result:
    """A ball of 0.1 m on rigid ground, or above it; it rebounds with 0.8 of its speed."""
    machine = taut.Machine("ball")
    machine.platform(mass=1.0, sphere={"radius": 0.1}, position=[0, 0, 0.1 + fall], velocity=[speed, 0, 0],
                     angular_velocity=[0, spin, 0])  # fmt: skip
    machine.ground(law="rigid", friction=friction, restitution=0.8)
    return taut.simulate(taut.build(machine.run(duration=duration, save_every=duration / 50).scenario()))


def tipped(duration: float) -> float:
    """Turn of a box about its lower edge under the push [rad]."""
    from scipy.integrate import solve_ivp

    r, start = np.hypot(WIDTH, HEIGHT) / 2, np.arctan2(HEIGHT, -WIDTH)
    inertia = MASS / 12 * (WIDTH**2 + HEIGHT**2) + MASS * r**2

    def rate(_: float, y: np.ndarray) -> list[float]:
        x, z = r * np.cos(start - y[0]), r * np.sin(start - y[0])
        return [y[1], (PUSH * z + MASS * GRAVITY * x) / inertia]

    return float(solve_ivp(rate, (0.0, duration), [0.0, 0.0], rtol=1e-11, atol=1e-13).y[0, -1])


def end(result: Result) -> tuple[float, float]:
    """Speed along x and turn about y at the end [m/s], [rad/s]."""
    v, w = result["body_velocity"].values[-1, 0], result["body_angular_velocity"].values[-1, 0]
    return float(v[0]), float(w[1])


def quantities() -> Iterator[Quantity]:
    """Run loads on rigid ground with friction, and compare with closed forms."""
    run = box(0.3, push=PUSH)
    q = run["body_quaternion"].values[-1, 0]
    turn = 2.0 * float(np.arctan2(q[2], q[0]))
    # tolerance: the sticking edge moves by the presliding distance, about 1e-6 m
    yield Quantity("turn of a tall box that tips", turn, tipped(0.3), 3e-6, "one pivot", "rad")
    yield Quantity("audit of it passes", float(run.audit["verdict"] == "pass"), 1.0, 0.0, "the audit's twin")
    run = ball(0.5, 0.7)
    yield Quantity("speed of a ball of 0.7 m/s that rolls", end(run)[0], 0.5, 1e-6, "5/7", "m/s")
    yield Quantity("and its turn, rolling", end(run)[1], 5.0, 1e-5, "5/7", "rad/s")
    run = ball(1.0, 0.7, spin=-20.0)
    true = 0.7 - 2 / 7 * (0.7 + 2.0)
    yield Quantity("speed of one with backspin, which comes back", end(run)[0], true, 1e-6, "momentum", "m/s")
    yield from blows()


def blows() -> Iterator[Quantity]:
    """Quantities of impacts with friction."""
    fast = float(np.sqrt(2 * GRAVITY * FALL))
    yield Quantity("speed after a blow that grips", end(ball(0.5, 1.0, fall=FALL))[0], 5 / 7, 1e-9, "5/7", "m/s")
    found = end(ball(0.5, 1.0, fall=FALL, friction=0.02))
    true = 0.02 * 1.8 * fast
    yield Quantity("speed after one that slides on", found[0], 1.0 - true, 1e-9, "mu (1 + e)", "m/s")
    yield Quantity("and its turn, sliding on", found[1], 2.5 * true / 0.1, 1e-8, "mu (1 + e)", "rad/s")
    run = flat(0.4)
    lost = float(np.sqrt(2 * GRAVITY * 0.1))
    true = 2.0 - FRICTION * lost - FRICTION * GRAVITY * (0.4 - lost / GRAVITY)
    yield Quantity("speed of a plate that falls flat and slides", end(run)[0], true, 1e-9, "momentum", "m/s")
    yield at_most(
        "energy that the audit of it misses", run.audit["energy"]["relative"], 1e-6, "works of friction and blow"
    )


def flat(duration: float) -> Result:
    """A plate that falls flat by 0.1 m and goes along at 2 m/s."""
    machine = taut.Machine("plate")
    machine.platform(mass=MASS, box=[0.4, 0.3, 1e-4], position=[0, 0, 0.1 + 5e-5], velocity=[2.0, 0, 0])
    machine.ground(law="rigid", friction=FRICTION)
    return taut.simulate(taut.build(machine.run(duration=duration, save_every=duration / 50).scenario()))
