"""Many runs at once are single runs, bit by bit; numbers changed in a built model are those of a model built anew."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import xarray as xr

from taut import library
from taut.build import build
from taut.build.numbers import is_same, with_numbers
from taut.integrate.batch.batch import simulate_batch
from taut.integrate.simulate import simulate
from taut.integrate.stepper import Stepper
from taut.model import Model
from taut.results.result import Result
from taut.verify.quantity import Quantity

SOURCE = "a batch must change nothing"
# machine, duration [s], address, values, of which the last one is not allowed
MACHINES = [
    ("mamidi-pick-and-place", 1.0, "platform.mass", (0.5, 1.0, 2.0, -1.0)),
    ("mamidi-pick-and-place", 0.5, "cables.C1.length", (0.8, 0.9, 1e-9)),
    ("double-pendulum", 1.0, "bodies.lower.com[2]", (-0.4, -0.6, "x")),
    ("bounce", 1.5, "cables.cable.axial_stiffness", (1000.0, 2000.0, -1.0)),
]


def quantities() -> Iterator[Quantity]:
    """Batches of four machines by changes, one by states, and models."""
    for name, duration, address, values in MACHINES:
        model = build(library.load(name, [f"run.duration={duration}"]))
        changes: list[dict[str, Any]] = [{address: value} for value in values]
        batch = simulate_batch(model, changes, workers=2)
        good = changes[:-1]
        same = sum(is_run(batch, k, simulate(with_numbers(model, change))) for k, change in enumerate(good))
        yield Quantity(f"{name}, {address}: runs bit by bit as alone", same, len(good), 0, SOURCE)
        built = sum(is_same(with_numbers(model, change), build_anew(model, change)) for change in good)
        yield Quantity(f"{name}, {address}: models bit by bit as built anew", built, len(good), 0, SOURCE)
        failed = int(np.sum(batch["status"].values == "failed"))
        yield Quantity(f"{name}, {address}: runs that cannot be, and stop no other", failed, 1, 0, SOURCE)
    yield from_states()


def build_anew(model: Model, change: dict[str, Any]) -> Model:
    """The machine of the changed scenario, read from its text."""
    from taut.scenario.changes import with_changes
    from taut.scenario.io.reading import loads
    from taut.scenario.io.writing import dumps

    return build(loads(dumps(with_changes(model.scenario, change))))


def from_states() -> Quantity:
    """Runs from states of a stepper."""
    model = build(library.load("double-pendulum", ["run.duration=1"]))
    stepper, states = Stepper(model), []
    for moment in (0.2, 0.5, 0.7):
        stepper.advance_to(moment)
        states.append(stepper.state)
    times = [0.8, 0.9]
    batch = simulate_batch(model, states=states, save_times=times, workers=2, keep=["joint_position"])
    alone = [simulate(model, state=state, save_times=times)["joint_position"].values for state in states]
    same = sum(np.array_equal(batch["joint_position"][k].values, alone[k]) for k in range(len(states)))
    return Quantity("runs from states, bit by bit as alone", same, len(states), 0, SOURCE)


def is_run(batch: xr.Dataset, k: int, result: Result) -> bool:
    """Whether a run of a batch has the samples of a single one."""
    names = [str(name) for name, values in batch.data_vars.items() if "time" in values.dims]
    return all(np.array_equal(batch[name][k].values, result[name].values, equal_nan=True) for name in names)
