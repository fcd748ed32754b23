"""Point-to-point moves of a double-pendulum crane that hoists on its way, by several controllers, compared.

The machine: trolley 20 kg, hook 10 kg, load 50 kg, the rope to the hook hoisted from 8 to 6 m during the move, 2 m
from the hook to the load; force limit 500 N, 100 samples a second with noise. Every design is made for these numbers;
the payload and the lengths are then changed by 20 % without telling it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.analyses.cranes import PlanarCrane, flat_move, modes
from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.result import Result
from taut.scenario.builder import Machine

# distance of the move [m], limit of the trolley's force [N], period of the controllers [s]
DISTANCE, LIMIT, PERIOD = 5.0, 500.0, 0.01
MASSES, TROLLEY = (10.0, 50.0), 20.0
START, END = (8.0, 2.0), (6.0, 2.0)
ARRIVED, AFTER = 20.0, 10.0  # time at which the move must be over, and time for which the load is watched after it [s]
RESTING, SETTLED = 0.03, 0.2  # distance [m] and swing [deg] within which the load counts as arrived
NOISE = {"position": 1e-4, "velocity": 1e-3}  # noise of all sensors [m or rad, and per s]
VARIATIONS = {
    "nominal": (1.0, 1.0),
    "load -20 %": (0.8, 1.0),
    "load +20 %": (1.2, 1.0),
    "length -20 %": (1.0, 0.8),
    "length +20 %": (1.0, 1.2),
}

Keys = dict[str, Any]


@dataclass(frozen=True)
class Design:
    """One way to move the load: signals `place` and `rope`, and the controller that sets the command `push`."""

    title: str
    signals: Callable[[], Keys]
    controller: Keys


def crane() -> PlanarCrane:
    """The machine in closed form."""
    return PlanarCrane(TROLLEY, MASSES)


def rest_to_rest(duration: float) -> Callable[[], Keys]:
    """Quintic polynomials for trolley and rope."""
    times = [0.0, duration]
    return lambda: {
        "place": {"kind": "waypoints", "times": times, "values": [0.0, DISTANCE], "blend": "quintic"},
        "rope": {"kind": "waypoints", "times": times, "values": [START[0], END[0]], "blend": "quintic"},
    }


def shaped(shaper: str, duration: float) -> Callable[[], Keys]:
    """Quintic polynomials for trolley and rope; the trolley's is shaped for both swings at the rope's mean length."""

    def signals() -> Keys:
        mean = (0.5 * (START[0] + END[0]), START[1])
        swings = [float(w) for w in modes(crane(), np.array(mean))[0]]
        plain = rest_to_rest(duration)()
        late = duration + sum(np.pi / w for w in swings) * (1 if shaper == "zv" else 2)
        rope = {**plain["rope"], "times": [0.0, float(late)]}
        place = {"kind": "shaped", "signal": plain["place"], "shaper": shaper, "omega": swings}
        return {"place": place, "rope": rope}

    return signals


def flat(duration: float) -> Callable[[], Keys]:
    """Trolley and rope from the path of the load."""

    def signals() -> Keys:
        move = flat_move(crane(), (np.array(START), np.array(END)), DISTANCE, duration)
        table = {"kind": "table", "times": move.times.tolist()}
        return {"place": {**table, "values": move.trolley.tolist()}, "rope": {**table, "values": move.length.tolist()}}

    return signals


def tracking(kp: float, kd: float, **swing: Any) -> Keys:
    """Partial feedback linearisation of the trolley."""
    joint = {"command": "push", "reference": "place", "kp": kp, "kd": kd, **({"swing": swing} if swing else {})}
    return {"kind": "computed-torque", "joints": {"trolley": joint}}


DESIGNS = {
    "energy": Design(
        "passivity-based, damping grows with the swing's energy",
        rest_to_rest(13.0),
        {"kind": "energy", "joint": "trolley", "command": "push", "reference": "place", "kp": 60.0, "kd": 120.0,
         "ke": 1.0},
    ),
    # these gains place all eigenvalues left of -0.7 /s for ropes of 6 to 8 m
    "linearisation": Design(
        "partial feedback linearisation with swing damping",
        rest_to_rest(9.0),
        tracking(1.8, 5.0, **{"hook-rope": [25.3, -16.9], "load-rope": [16.2, -20.0]}),
    ),
    "lqr": Design(
        "linear-quadratic regulator, linearised again every second",
        rest_to_rest(9.0),
        {
            "kind": "lqr",
            "joints": {"trolley": {"command": "push", "reference": "place", "effort": 100.0}},
            "tolerances": {"trolley": 0.1, "hook-rope": 0.01, "load-rope": 0.01},
            "update": 1.0,
        },
    ),
    "zv": Design("zero-vibration shaping, tracked", shaped("zv", 14.0), tracking(9.0, 6.0)),
    "zvd": Design("zero-vibration-derivative shaping, tracked", shaped("zvd", 10.0), tracking(9.0, 6.0)),
    "flat": Design("flatness-based reference, tracked", flat(9.0), tracking(9.0, 6.0)),
}  # fmt: skip


def move_scenario(name: str, load: float = 1.0, length: float = 1.0, **more: Any) -> Any:
    """The scenario of a design, with the load and the lengths multiplied by factors that the design does not know."""
    design = DESIGNS[name]
    machine = Machine(f"crane move, {design.title}")
    machine.signal("push", kind="command", limits=[-LIMIT, LIMIT])
    for key, signal in design.signals().items():
        machine.signal(key, **signal)
    motion: Any = "rope" if length == 1.0 else scaled(design.signals()["rope"], length)
    links = [{"name": "hook", "mass": MASSES[0], "motion": motion},
             {"name": "load", "mass": load * MASSES[1], "length": length * START[1]}]  # fmt: skip
    machine.crane(height=15.0, trolley={"mass": TROLLEY, "force": "push"}, links=links)
    for key, noise in NOISE.items():
        machine.measurement(key, what=key, noise=noise)
    # the controller assumes the nominal machine, not the true one
    assumed = ["crane.links[0].motion=rope", f"crane.links[1].mass={MASSES[1]}", f"crane.links[1].length={START[1]}"]
    shared = {"period": PERIOD, "position": "position", "velocity": "velocity"}
    if (load, length) != (1.0, 1.0):
        shared |= {"assumed": assumed}
    machine.controller("move", **{**shared, **design.controller})
    machine.run(**{"duration": ARRIVED + AFTER, "save_every": 0.05, "seed": 1, **more})
    return machine.scenario()


def scaled(signal: Keys, factor: float) -> Keys:
    """A waypoints or table signal with its values multiplied."""
    return {**signal, "values": [factor * value for value in signal["values"]]}


@dataclass(frozen=True)
class Score:
    """Duration, swing, miss and largest force of a move."""

    # time from which the load stays within RESTING and SETTLED [s]; the end of the run if it never does
    move_time: float
    residual_swing: float  # largest angle of a link to the vertical after ARRIVED [deg]
    peak_swing: float  # largest angle of a link to the vertical in the whole run [deg]
    miss: float  # distance of the load from its goal at ARRIVED [m]
    peak_force: float  # largest force on the trolley [N]
    effort: float  # root mean square of the force over the whole run [N]
    balance: float  # error of stored energy = supplied work - dissipation, relative to the energy exchanged
    is_passed: bool  # whether the run passed its audit


def score(result: Result) -> Score:
    """Score of a move, read off a run."""
    time = result.time
    places = {name: result["body_position"].sel(body=name).values for name in ("trolley", "hook", "load")}
    links = (places["hook"] - places["trolley"], places["load"] - places["hook"])
    swing = np.degrees(np.max([np.abs(np.arctan2(d[:, 0], -d[:, 2])) for d in links], axis=0))
    miss = np.abs(places["load"][:, 0] - DISTANCE)
    away = np.flatnonzero((miss > RESTING) | (swing > SETTLED))
    force = result["command_value"].values[:, 0]
    late = time >= ARRIVED - 1e-9
    relative = result.audit["energy"]["relative"]
    return Score(
        move_time=float(time[min(away[-1] + 1, len(time) - 1)]) if len(away) else 0.0,
        residual_swing=float(swing[late].max()),
        peak_swing=float(swing.max()),
        miss=float(miss[late][0]),
        peak_force=float(np.abs(force).max()),
        effort=float(np.sqrt(np.mean(force**2))),
        balance=float("nan") if relative is None else float(relative),
        is_passed=result.audit["verdict"] == "pass",
    )


def run_move(name: str, variation: str = "nominal", **more: Any) -> tuple[Result, Score]:
    """Run a design in one of the variations."""
    load, length = VARIATIONS[variation]
    result = simulate(build(move_scenario(name, load, length, **more)))
    return result, score(result)
