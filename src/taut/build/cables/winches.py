"""Winches: the length of a cable as a signal, or as a coordinate.

A length that changes stretches all elements alike, and material flows through every joint (``dynamics.forces.feed``).
The coordinate of a drum is the length it has paid out, with its inertia, torque, friction and brake divided by its
radius.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taut.build.context import Context
from taut.build.tree import WORLD, ColumnSpec, FeedSpec, Spring
from taut.model.enums import FeedKind
from taut.model.laws import KINDS as LAW_KINDS
from taut.model.laws import LAWS, LawKind
from taut.scenario.cables.cable import Cable
from taut.scenario.cables.mrfe import CableMrfe
from taut.scenario.cables.winch import DriverWinch, Drum, Motor
from taut.scenario.signals.derived import BASE, DerivedSignal, ScaledSignal

KINDS = {"consistent": FeedKind.CONSISTENT, "paper": FeedKind.PAPER}
SHORTEST = 0.02  # least length of cable outside, relative to the whole length
STOPPING = 0.1  # time in which a winch that fails comes to rest [s]
LOOKS = 2000
UNLIMITED = 1e300


@dataclass(frozen=True)
class Feed:
    """How one cable's length changes; nothing changes without a signal or a node."""

    signal: int = -1
    kind: FeedKind = FeedKind.CONSISTENT
    rate: float = 0.0  # rate of the length ratio at the start [1/s]
    node: int = WORLD  # node whose coordinate is the length of the cable

    def of_link(self, cable: "CableSize", joint: int, *, is_exit: bool = False) -> FeedSpec | None:
        """Feed of the half-link that is attached to a joint (0 at the exit)."""
        if self.signal < 0 and self.node == WORLD:
            return None
        flow = (1.0 - joint / cable.elements) * cable.length
        length = cable.length / cable.elements
        return FeedSpec(length, cable.line_density, self.signal, self.kind, flow, is_exit, self.node)


@dataclass(frozen=True)
class CableSize:
    """Own length [m], mass per length [kg/m] and number of elements."""

    length: float
    line_density: float
    elements: int


def winch_of(context: Context, cable: Cable) -> DriverWinch | None:
    """The winch of a cable."""
    winch = context.scenario.drivers[cable.winch] if cable.winch is not None else None
    return winch if isinstance(winch, DriverWinch) else None


def drum_of(context: Context, winch: str | None) -> Drum | None:
    """The drum of a winch, by the winch's name."""
    driver = context.scenario.drivers.get(winch or "")
    return driver.drum if isinstance(driver, DriverWinch) else None


def own_length(context: Context, cable: Cable, distance: float) -> float:
    """Unstrained length at the start [m]: given, or as the winch says, or straight."""
    winch = winch_of(context, cable)
    if cable.length is None and winch is not None and winch.length is not None:
        return float(context.scenario.signal(winch.length).evaluate(0.0)[0])
    return cable.length or distance


def feed_of(context: Context, cable: CableMrfe, path: str, length: float) -> Feed:
    """The feed of a cable with a prescribed length."""
    winch = winch_of(context, cable)
    if winch is None:
        return Feed()
    refuse_states(context, cable, path)
    ratio = ratio_of(context, cable, path, length)
    return Feed(context.real_signal(ratio), KINDS[winch.feed], float(context.scenario.signal(ratio).evaluate(0.0)[1]))


def refuse_states(context: Context, cable: CableMrfe, path: str) -> None:
    """Refuse laws with internal states on a cable that a winch feeds: the states would have to flow with it."""
    for law in (cable.axial_law, cable.bending_law):
        if LAWS[LAW_KINDS[law.law]].has_state:
            raise context.scenario.error(f"{path}.winch", f"cannot feed a cable of a {law.law.replace('-', ' ')}",
                                         remedy="use another law")  # fmt: skip


def ratio_of(context: Context, cable: Cable, path: str, length: float) -> Any:
    """Length over length at the start of a cable whose winch prescribes it, as a signal."""
    winch = winch_of(context, cable)
    ratio: Any = winch.ratio(length) if winch is not None else 1.0
    ratio = until_lost(context, cable, ratio)
    check_ratio(context, cable, path, ratio, length)
    return ratio


def until_lost(context: Context, cable: Cable, change: Any) -> Any:
    """The signal of a winch, which comes to rest where the winch is lost."""
    failure = next((f for f in context.scenario.failures if f.kind == "loss" and f.target == cable.winch), None)
    return change if failure is None or failure.at is None else stopped(context, change, failure.at)


def stopped(context: Context, change: Any, time: float) -> DerivedSignal:
    """The signal of a winch that comes to rest from a time on."""
    value, rate, _ = context.scenario.signal(change).evaluate(time)
    rest = f"min(t - {time!r}, {STOPPING!r})"
    formula = f"where({time!r} - t, {BASE}, {value!r} + ({rate!r})*{rest}*(1 - {rest}/{2 * STOPPING!r}))"
    return DerivedSignal(change, formula)


def check_ratio(context: Context, cable: Cable, path: str, ratio: Any, own: float) -> None:
    """Check that a cable starts at its own length, and that some of it always stays outside."""
    times = np.linspace(0.0, context.scenario.run.duration, LOOKS)
    values = np.asarray(context.scenario.signal(ratio).evaluate(times)[0])
    key = f"{path}.winch"
    winch = winch_of(context, cable)
    if winch is not None and winch.length is not None and winch.start == "blend":
        begin = float(context.scenario.signal(winch.length).evaluate(0.0)[0]) / own
        values = np.concatenate([[begin], values[1:]])
    if abs(values[0] - 1.0) > 1e-9:
        message = f"begins with {values[0]:.6g} times the cable's own length"
        raise context.scenario.error(key, message, value=cable.winch, remedy="let both begin alike, or give no length")
    if values.min() < SHORTEST:
        time = times[np.argmax(values < SHORTEST)]
        message = f"hauls the whole cable in: at t = {time:.4g} s less than {100 * SHORTEST:g} % of it is left"
        raise context.scenario.error(key, message, value=cable.winch, remedy="end the run before, or haul in less")


def drum_column(context: Context, cable: Cable, drum: Drum, winch: str | None = None) -> ColumnSpec:
    """Inertia, torque, friction and brake of a drum at its radius."""
    r = drum.radius
    ratio, motor = (drum.gearbox.ratio, drum.gearbox.inertia) if drum.gearbox is not None else (1.0, 0.0)
    column = ColumnSpec(
        viscous=drum.friction / r**2,
        velocity_scale=drum.creep,
        signal=context.signal(ScaledSignal(drum.torque, ratio / r)) if drum.torque != 0.0 else -1,
        armature=(drum.inertia + ratio**2 * motor) / r**2,
        brake=drum.brake / r,
        is_braked=drum.braked,
        brake_switch=context.switch("brake", winch or cable.winch),
    )
    return column if drum.motor is None else with_motor(context, column, drum.motor, ratio / r, r)


def with_motor(context: Context, column: ColumnSpec, motor: Motor, force: float, radius: float) -> ColumnSpec:
    """The column of a drum with a motor: ``force`` at its radius is that of a unit torque."""
    power = motor.power or 0.0
    most = UNLIMITED if motor.limit is None else force * motor.limit
    gain = force * motor.kv / radius  # gain of the motor's force on the rate of the length [N s/m]
    parameters = (1.0, motor.lag or 1.0, gain, most, power, force * motor.feedforward, float(motor.torque is not None))
    scale = force if motor.torque is not None else radius
    signal = ScaledSignal(motor.signal(), scale)
    start = float(context.scenario.signal(signal).evaluate(0.0)[0]) if motor.torque is not None else 0.0
    spring = Spring(LawKind.LAGGED_MOTOR if motor.lag > 0.0 else LawKind.MOTOR, motor.kp * gain, parameters=parameters)
    begin = max(min(force * motor.feedforward + start, most), -most)
    return replace(column, spring=spring, signal=context.signal(signal), force=begin)
