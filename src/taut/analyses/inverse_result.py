"""Inverse dynamics as a result like any other: channels, audit (the work-energy check included), file."""

from typing import Any

import numpy as np

from taut.analyses.inverse_motion import ForceHistory, bare_model, force_history
from taut.integrate.samples.raw import Samples, channels
from taut.integrate.settings import RunSettings
from taut.integrate.singularities import watched
from taut.integrate.start.start_state import start_state
from taut.model import Model, new_data
from taut.results.finish import make_result
from taut.results.record import RunRecord
from taut.results.result import Result
from taut.scenario.io.writing import dumps


def inverse_motion(model: Model, actuators: list[str] | None = None) -> Result:
    """Actuator forces, closure forces and power along the scenario's `motion`, at the times of its samples.

    Args:
        model: the machine; its scenario has a `motion`.
        actuators: names of the actuated coordinates; those marked ``actuated`` if none are given.

    Returns:
        A result with ``actuator_force``, ``actuator_power``, ``closure_force`` and the channels of a run; its energy
        balance is the work of the actuators against the change of energy.

    Raises:
        ScenarioError: no motion, a pose that cannot be reached, or a joint that would leave its range.
    """
    run = model.scenario.run
    times = np.append(0.0, RunSettings(run.duration, run.save_every).save_times())
    history = force_history(model, times, actuators)
    bare = bare_model(model)
    arrays = result_arrays(bare, history)
    extra, events = watched(bare, start_state(bare).data, arrays)
    arrays |= extra
    record = RunRecord(
        scenario_text=dumps(model.scenario), title=model.scenario.name, method="inverse dynamics",
        tolerance=run.tolerance, duration=run.duration, model_digest=model.digest(), events=events,
        statistics={"redundancy": history.instants[0].actuation.redundancy},
    )  # fmt: skip
    coords = {"time": arrays.pop("time"), **coords_of(bare), "actuator": list(history.actuators)}
    return make_result(arrays, coords, record)


def result_arrays(model: Model, history: ForceHistory) -> dict[str, np.ndarray]:
    """Channel arrays of a history."""
    count = len(history.times)
    stack = {key: np.array([getattr(instant, key) for instant in history.instants]) for key in ("q", "v", "a")}
    lam = np.array([instant.actuation.multipliers for instant in history.instants])
    work = np.zeros((count, 2))
    samples = Samples(times=history.times, **stack, lam=lam, z=np.zeros((count, model.state_count)), work=work,
                      log=np.zeros((0, 4)))  # fmt: skip
    arrays = {"time": history.times, **channels(model, new_data(model), samples, count)}
    forces, rates = history.forces(), history.velocities()
    arrays |= {"actuator_force": forces, "actuator_velocity": rates, "actuator_power": forces * rates}
    arrays["closure_force"] = closure_forces(model, lam)
    arrays["work_input"] = history.work
    return arrays


def closure_forces(model: Model, lam: np.ndarray) -> np.ndarray:
    """Force at every closure on its first body, world axes [time, closure, 3]."""
    forces = np.zeros((len(lam), len(model.tables.closures), 3))
    for j, closure in enumerate(model.tables.closures):
        held = np.flatnonzero(closure.point_rows)
        forces[:, j, held] = lam[:, int(closure.row) : int(closure.row) + len(held)]
    return forces


def coords_of(model: Model) -> dict[str, Any]:
    """Names along the dimensions of a result."""
    names, coordinates = model.names, list(model.coordinate_names)
    return {"body": list(names.bodies), "closure": list(names.closures), "row": list(names.rows),
            "column": list(names.columns), "coordinate": coordinates}  # fmt: skip
