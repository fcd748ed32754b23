"""Where a machine stands in its motion, as a value."""

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.integrate.moving import Moving
from taut.scenario.errors import Problem, ScenarioError


@dataclass(frozen=True)
class State:
    """Where a machine stands in its motion: all from which a stepper of the same model goes on, bit for bit.

    A value: it can be kept, pickled, and handed to another stepper. The memory of controllers written in Python is
    theirs, and not part of it.
    """

    time: float  # time of the state [s]
    q: np.ndarray  # coordinates
    v: np.ndarray  # velocities
    z: np.ndarray  # internal states of materials
    memory: dict[str, np.ndarray]  # memory of the method, of events and of commands
    controls: Any  # memory of the built-in controllers
    horizon: float  # end of the time for which signals are tabulated [s]
    # names of the machine's columns, by which the state of another machine is recognised and refused
    columns: tuple[str, ...]
    integrator: str

    def digest(self) -> str:
        """Hash of the state's content."""
        parts = [np.ascontiguousarray(self.memory[name]).tobytes() for name in sorted(self.memory)]
        return hashlib.sha256(b"".join([repr(self.time).encode(), *parts])).hexdigest()


def state_of(moving: Moving, horizon: float) -> State:
    """The state of a machine in motion; ``horizon`` is the time up to which its signals are tables [s]."""
    data = moving.method.state()
    memory = {name: np.array(value) for name, value in moving.checkpoint().items()}
    memory["commands"] = data.commands.copy()
    return State(moving.method.time, data.q.copy(), data.v.copy(), data.z.copy(), memory, moving.controls.memory(),
                 horizon, moving.model.names.columns, moving.method.name)  # fmt: skip


def check_state(state: State, moving: Moving) -> None:
    """Refuse a state of another machine or method."""
    own = moving.method.name
    if state.columns != moving.model.names.columns:
        raise ScenarioError([Problem("the state belongs to another machine", remedy="take it from this model")])
    if state.integrator != own:
        message = f"the state was made by {state.integrator}, and this motion goes by {own}"
        raise ScenarioError([Problem(message, remedy=f"choose integrator={state.integrator!r}")])
    data, work = moving.data, moving.method.work
    # equal names may still hide other events or laws: compare the shapes of all arrays to be written
    sizes = {"modes": data.modes, "anchors": data.anchors, "due": data.due, "commands": data.commands}
    sizes |= {name: getattr(work, name) for name in moving.method.state_arrays}
    # the readings that sensors remember differ in number
    remembered = moving.controls.checkpoint()
    sizes |= {name: array for name, array in remembered.items() if not name.startswith("sensors_course")}
    other = [
        name for name, array in sizes.items() if name not in state.memory or state.memory[name].shape != array.shape
    ]
    if other:
        message = "the state belongs to a machine with other closures, events, commands, sensors or laws"
        raise ScenarioError([Problem(message, remedy="take it from this model")])


def take_up(state: State, moving: Moving) -> None:
    """Go on from a state of this machine and method."""
    check_state(state, moving)
    moving.restore(state.memory)
    moving.data.commands[:] = state.memory["commands"]
    moving.controls.recall(state.controls)
