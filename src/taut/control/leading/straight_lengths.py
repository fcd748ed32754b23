"""Winch commands that lead a body along a path by straight cables from fixed or measured exits, in compiled code.

The commands are those of ``control/leading/cable_length.py``, which leads by any cables, where no cable runs over a
guide, all winches follow lengths, and the body is not turned.
With the wanted position r of the body, its orientation R, an anchor a and an exit e, the chord and its rates are
    s = r + R a - e,   d = |s|,   d' = u r',   d'' = u r'' + (r'^2 - d'^2) / d,   u = s / d,                       (1)
and a cable of axial stiffness EA under the tension T is unstrained as long as
    L = d / (1 + T / EA).                                                                                        (2)
Tensions ahead carry the body's wrench: pulls -u_i T_i with sum m (r'' - g), without moment about its centre of mass,
    min |W T - w|^2 + e^2 |T - preload|^2,   T >= least.                                                          (3)
The command that is held over the next period follows L with its rates taken in the middle of that period,
    acceleration:  L'' + 2 w (L' - l') + w^2 (L - l),      rate with a lag:  L' + lag L'' + w (L - l),             (4)
with l the winch's present length, which the controller computes from its own commands.
"""

from typing import Any

import numpy as np

from taut.build.machine.reeving import Reeving
from taut.control.law import DONE, REFUSED, Law, LawData
from taut.control.leading.cable_length import NEARNESS, no_way
from taut.dynamics.courses import ACTS, BY_ACCELERATION, start_course
from taut.dynamics.signals import evaluate_command
from taut.kernels.bounded_qp import EXACT, Bounded, bounded_qp, new_bounded, solve_bounded
from taut.kernels.bundle import Bundle
from taut.kernels.jit import block, entry, part
from taut.kernels.lcp import SOLVED
from taut.kernels.vec3 import cross3, dot3
from taut.model import Model
from taut.model.commands import ENTRIES, VALUE

# entries of ``LawData.numbers``: gains, limits and constants
KP, KI, MOST, PERIOD, DELAY, BANDWIDTH, PLACE_AT, HAS_STATICS, MASS, SIZE, PRELOAD, GRAVITY = range(12)
# offsets in ``LawData.memory``: integral of the position error [m s], then the last commands and their courses
LASTING, OWN = 0, 3


class StraightData(Bundle):
    """The law, its winches, and the quadratic problem of Eq. (3)."""

    law: LawData
    anchor: np.ndarray  # vector from the body's origin to the anchor of each cable, world axes [m]
    exit: np.ndarray  # exits of the cables, world [m]
    exit_at: np.ndarray  # index of a moving exit's position among the measured numbers; -1: the exit does not move
    tension_at: np.ndarray  # index of a cable's tension among the measured numbers; -1: it is not measured
    stiffness: np.ndarray  # axial stiffness EA of each cable [N]
    offset: np.ndarray  # part of the length that the command does not include [m]
    arm: np.ndarray  # vector from the body's centre of mass to the anchor, world axes [m]
    acts: np.ndarray  # kind of what each command acts on, as in ``dynamics/courses.py``
    lag: np.ndarray  # time constant of each actuator's first-order lag [s]
    limits: np.ndarray  # least and largest value of each command [cables, 2]
    step_limit: np.ndarray  # largest change of each command at a sample
    asked: np.ndarray  # last command of each winch; a view of the law's memory, as ``courses``
    courses: np.ndarray  # course of each command [.., ENTRIES]
    chord: np.ndarray  # vector from the exit to the anchor of each cable [m]
    tension: np.ndarray  # wanted tension of each cable [N]
    W: np.ndarray  # matrix W of Eq. (3) [6, cables]
    H: np.ndarray
    b: np.ndarray
    low: np.ndarray
    high: np.ndarray
    problem: Bounded


@entry
def straight_answer(work):
    """The commands at a sample; refused if a cable has no direction, or Eq. (3) is not solved exactly."""
    law = work.law
    n, wanted, memory = law.numbers, law.wanted[law.slot[0]], law.memory
    # correction of the wanted position by feedback; the integral stops at the limit (anti-windup)
    moved, lasting = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    at = int(n[PLACE_AT])
    if at >= 0:
        told = law.told
        error = (wanted[0, 0] - told[at], wanted[1, 0] - told[at + 1], wanted[2, 0] - told[at + 2])
        h = n[PERIOD]
        lasting = (memory[0] + h * error[0], memory[1] + h * error[1], memory[2] + h * error[2])
        p, i = n[KP], n[KI]
        moved = (p * error[0] + i * lasting[0], p * error[1] + i * lasting[1], p * error[2] + i * lasting[2])
        far = np.sqrt(dot3(moved, moved))
        if far > n[MOST]:
            share = n[MOST] / far
            moved = (moved[0] * share, moved[1] * share, moved[2] * share)
            lasting = (memory[0], memory[1], memory[2])
    if not place_chords(work, wanted, moved):
        return REFUSED
    if n[HAS_STATICS] != 0.0:
        # solve Eq. (3), unless Python has done so because it could not be solved here
        if n[HAS_STATICS] > 0.0 and not solve_statics(work, wanted):
            return REFUSED
    memory[0], memory[1], memory[2] = lasting
    for k in range(len(work.acts)):
        law.out[k] = winch_command(work, k, wanted)
    return DONE


@part
def place_chords(work, wanted, moved):
    """Ways s of Eq. (1), and measured tensions; false if a cable has no direction."""
    told, has_directions = work.law.told, True
    for k in range(len(work.acts)):
        at = work.exit_at[k]
        for j in range(3):
            e = told[at + j] if at >= 0 else work.exit[k, j]
            work.chord[k, j] = wanted[3 + j, 0] + moved[j] + work.anchor[k, j] - e
        s = work.chord[k]
        has_directions &= s[0] * s[0] + s[1] * s[1] + s[2] * s[2] > 0.0
        if work.tension_at[k] >= 0:
            work.tension[k] = told[work.tension_at[k]]
    return has_directions


@block
def solve_statics(work, wanted):
    """Tensions that carry the body along its path, Eq. (3); false if they are not found exactly."""
    n, W, H, b, T = work.law.numbers, work.W, work.H, work.b, work.tension
    count = len(work.acts)
    for k in range(count):
        s, arm = work.chord[k], work.arm[k]
        d = np.sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2])
        pull = (-s[0] / d, -s[1] / d, -s[2] / d)
        # moments are scaled to forces by the longest lever arm, so that both can be weighted together
        turn = cross3((arm[0], arm[1], arm[2]), pull)
        for j in range(3):
            W[j, k], W[3 + j, k] = pull[j], turn[j] / n[SIZE]
    near, largest = NEARNESS**2, 0.0
    for i in range(count):
        b[i] = -n[PRELOAD] * near
        for j in range(3):
            b[i] -= W[j, i] * n[MASS] * (wanted[3 + j, 2] - n[GRAVITY + j])
        for k in range(count):
            H[i, k] = near if i == k else 0.0
            for j in range(6):
                H[i, k] += W[j, i] * W[j, k]
    for i in range(count):
        largest = max(largest, abs(b[i]) / np.sqrt(H[i, i]))
    if solve_bounded(H, b, work.low, work.high, T, count, 0.0, work.problem) != SOLVED:
        return False
    return is_optimal(work, largest)


@part
def is_optimal(work, largest):
    """Whether the slope is zero, or points to the bound that the tension is at."""
    T = work.tension
    for i in range(len(work.acts)):
        g = work.b[i]
        for k in range(len(work.acts)):
            g += work.H[i, k] * T[k]
        left = max(-g if T[i] < work.high[i] else 0.0, g if T[i] > work.low[i] else 0.0)
        if not left <= EXACT * largest * np.sqrt(work.H[i, i]):
            return False
    return True


@part
def winch_command(work, k, wanted):
    """Command of one winch for the wanted length and its rates, Eqs. (1), (2), (4)."""
    n, s = work.law.numbers, work.chord[k]
    rate, second = (wanted[3, 1], wanted[4, 1], wanted[5, 1]), (wanted[3, 2], wanted[4, 2], wanted[5, 2])
    d = np.sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2])
    u = (s[0] / d, s[1] / d, s[2] / d)
    d_1 = dot3(u, rate)
    d_2 = dot3(u, second) + (dot3(rate, rate) - d_1 * d_1) / d
    # a slack cable has zero tension; rates of the tension are neglected against those of the path
    stretch = 1.0 + max(work.tension[k], 0.0) / work.stiffness[k]
    L, L_1, L_2 = d / stretch - work.offset[k], d_1 / stretch, d_2 / stretch
    acts, w, h = law_time(work), n[BANDWIDTH], 0.5 * n[PERIOD]
    own, own_rate, _ = evaluate_command(work.courses, k, acts)
    # wanted length and rate at the time when the command starts to act, h before that of the path ahead
    gap, gap_rate = L - h * L_1 + 0.5 * h * h * L_2 - own, L_1 - h * L_2 - own_rate
    if work.acts[k] == BY_ACCELERATION:
        command = L_2 + 2.0 * w * gap_rate + w * w * gap
    else:
        command = L_1 + work.lag[k] * L_2 + w * gap
    before, step = work.asked[k], work.step_limit[k]
    command = min(max(command, before - step), before + step)
    command = min(max(command, work.limits[k, 0]), work.limits[k, 1])
    work.asked[k] = command
    start_course(work.courses, k, work.acts[k], work.lag[k], command, acts, n[PERIOD])
    return command


@part
def law_time(work):
    """When the command of a sample acts [s]."""
    return work.law.time[0] + work.law.numbers[DELAY]


class StraightLengths(Law):
    """Controller by Eqs. (1) to (4), computed in compiled code."""

    entry = straight_answer

    def __init__(self, model: Model, name: str, spec: Any) -> None:
        """Read geometry, stiffness and the path."""
        plan, reeving = model.plan, model.plan.equipment[name]
        self.cables, n = list(reeving.winches), len(reeving.winches)
        # the path is read at the sample for the feedback, and in the middle of the period in which the command acts
        path, ahead = [plan.curve(signal) for signal in spec.setpoint], spec.delay + 0.5 * spec.period
        wanted = [(curve, later) for later in (0.0, ahead) for curve in path]
        inputs = [(key, 3) for key in spec.exits.values()] + [(key, 1) for key in spec.tensions.values()]
        inputs += [(spec.position, 3)] if spec.position is not None else []
        places = dict(zip([key for key, _ in inputs], np.cumsum([0, *(size for _, size in inputs)]), strict=False))
        rule = spec.feedforward
        numbers = [spec.kp, spec.ki, spec.most_correction, spec.period, spec.delay, spec.bandwidth,
                   places.get(spec.position, -1), rule is not None, *statics_numbers(model, reeving, rule)]  # fmt: skip
        self.plan, self.name = plan, name
        super().__init__(spec, inputs, wanted, numbers=numbers, memory=OWN + n * (1 + ENTRIES))
        self.commands = tuple(winch.command for winch in reeving.winches.values())
        self.least = rule.least if rule is not None else 0.0
        self.work = self._work(model, reeving, places)
        for k, command in enumerate(self.commands):
            self.work.courses[k, VALUE] = plan.commands[command].initial

    def _work(self, model: Model, reeving: Reeving, places: dict[str, Any]) -> StraightData:
        spec, winches, n, R = self.spec, list(reeving.winches.values()), len(reeving.winches), reeving.orientation
        starts, ends = zip(*(winch.guides for winch in winches), strict=True)
        poses = [list(reeving.bodies.values())[start.node] for start in starts]
        commands = [model.plan.commands[winch.command] for winch in winches]
        free, memory = (-np.inf, np.inf), self.law.memory
        return StraightData(
            law=self.law,
            anchor=np.array([R @ np.array(end.point) for end in ends]),
            exit=np.array([x + turn @ np.array(start.point) for (turn, x), start in zip(poses, starts, strict=True)]),
            exit_at=np.array([places.get(spec.exits.get(cable), -1) for cable in self.cables]),
            tension_at=np.array([places.get(spec.tensions.get(cable), -1) for cable in self.cables]),
            stiffness=np.array([winch.stiffness for winch in winches], float),
            offset=np.array([winch.offset for winch in winches], float),
            arm=np.array([R @ (np.array(end.point) - reeving.com) for end in ends]),
            acts=np.array([ACTS.index(command.acts) for command in commands]),
            lag=np.array([command.lag or 0.0 for command in commands]),
            limits=np.array([command.limits or free for command in commands], float),
            step_limit=np.array([(command.rate_limit or np.inf) * spec.period for command in commands]),
            asked=memory[OWN : OWN + n],
            courses=memory[OWN + n :].reshape(n, ENTRIES),
            chord=np.zeros((n, 3)),
            tension=np.zeros(n),
            W=np.zeros((6, n)),
            H=np.zeros((n, n)),
            b=np.zeros(n),
            low=np.full(n, float(self.least)),
            high=np.full(n, np.inf),
            problem=new_bounded(n),
        )

    @property
    def bundle(self) -> Bundle:
        """The bundle of arrays with which the compiled entry is called."""
        return self.work

    def answer(self) -> int:
        """Solve Eq. (3) by other means where compiled code could not; say which cable has no direction."""
        if super().answer() != DONE:
            work, numbers = self.work, self.law.numbers
            lost = ~(np.linalg.norm(work.chord, axis=1) > 0.0)
            if lost.any():
                cable = self.cables[int(np.flatnonzero(lost)[0])]
                raise no_way(self.plan, self.name, cable, float(self.law.time[0]))
            work.tension[:], _ = bounded_qp(work.H, work.b, work.low, work.high)
            numbers[HAS_STATICS] = -1.0
            super().answer()
            numbers[HAS_STATICS] = 1.0
        return DONE


def statics_numbers(model: Model, reeving: Reeving, rule: Any) -> list[float]:
    """What Eq. (3) needs of the body: its mass, the longest lever arm, the preload, gravity."""
    if rule is None:
        return [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    arms = [float(np.linalg.norm(winch.guides[-1].point - reeving.com)) for winch in reeving.winches.values()]
    gravity = np.array(model.tables.settings[0].gravity, float).tolist()
    return [reeving.mass + rule.carries, max(arms) or 1.0, rule.preload, *gravity]


def is_straight(model: Model, name: str, spec: Any) -> bool:
    """Whether all cables run straight to a body that is not turned, on winches without drums."""
    reeving: Reeving = model.plan.equipment[name]
    is_led_only = not (spec.turn or spec.carriers or reeving.exits)
    led = list(reeving.bodies).index(spec.body)
    return is_led_only and all(
        winch.drum is None
        and all(guide.wheel is None for guide in winch.guides)
        and [guide.node == led for guide in winch.guides] == [False, True]
        for winch in reeving.winches.values()
    )
