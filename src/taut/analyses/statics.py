"""Statics: where a machine hangs at rest, and what its cables carry there."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from taut.integrate.rest.equilibrium import solve_equilibrium
from taut.integrate.run.texts import result_names
from taut.integrate.samples.raw import channels, new_samples
from taut.integrate.start.start_state import start_state
from taut.model import Data, Model, new_data, set_moment
from taut.results.channels import assemble
from taut.scenario.records.orientation import quaternion_from_rotation


@dataclass(frozen=True)
class Equilibrium:
    """A machine at rest."""

    data: Data  # state of the equilibrium, with multipliers
    residual: float  # largest unbalanced force, relative to the largest force
    closure_error: float  # closure error of the loops [m or -]
    steps: int
    method: str  # name of the solver: newton or relaxation
    bodies: dict[str, dict[str, list[float]]]  # position [m] and quaternion (w, x, y, z) of every body
    cables: dict[str, dict[str, Any]]  # length [m], tensions [N], end forces [N] and nodes [m] of every cable
    drums: dict[str, float]  # by cable, the turn of its drum from the start to rest [rad], positive if it paid out
    channels: dict[str, np.ndarray]  # the variables that a result has, at this one moment
    names: dict[str, Any]  # labels along the dimensions of ``channels``

    def to_xarray(self) -> xr.Dataset:
        """The state as a dataset with the variables of a result, without time."""
        coords = {"time": np.array([float(self.data.time[0])]), **self.names}
        return assemble(self.channels, coords, {"title": "equilibrium"}).isel(time=0)


def statics(model: Model, *, time: float = 0.0) -> Equilibrium:
    """Find the equilibrium of a model, with its signals as they are at a time and at rest.

    Raises:
        ScenarioError: loops that cannot be closed, or a machine that does not come to rest.
    """
    data = start_state(model).data
    start = data.q.copy()
    data.time[0] = time
    data.v[:] = 0.0
    balance = solve_equilibrium(model, data)
    data.v[:] = 0.0
    found = _channels(model, data)
    return Equilibrium(
        data=data,
        residual=balance.residual,
        closure_error=balance.gap,
        steps=balance.steps,
        method=balance.method,
        bodies=_bodies(model, data),
        cables={name: _cable(found, k) for k, name in enumerate(model.names.cables)},
        drums=_drums(model, data.q - start),
        channels=found,
        names=result_names(model),
    )


def _bodies(model: Model, data: Data) -> dict[str, dict[str, list[float]]]:
    places = {name: data.nodes[node] for name, node in model.names.bodies.items()}
    return {
        name: {
            "position": place.x.tolist(),
            "quaternion": [float(x) for x in quaternion_from_rotation(place.R.reshape(3, 3))],
        }
        for name, place in places.items()
    }


def _drums(model: Model, moved: np.ndarray) -> dict[str, float]:
    """Turns of all drums by cable; ropes on one drum have equal turns."""
    names, found = model.names.nodes, {}
    for cable, radius in model.plan.drums.items():
        # without a pulley, a cable of elements has no node for its drum: its length itself is the coordinate
        node = names.index(model.plan.spools.get(cable, f"{cable}.length"))
        found[cable] = float(moved[int(model.tables.nodes["coordinate"][node])] / radius)
    return found


def _channels(model: Model, data: Data) -> dict[str, np.ndarray]:
    samples = new_samples(model, np.array([data.time[0]]))
    samples.q[0], samples.lam[0], samples.z[0] = data.q, data.lam, data.z
    reader = new_data(model)._replace(modes=data.modes, anchors=data.anchors)
    set_moment(reader, data)
    reader.still[0] = 1.0
    return channels(model, reader, samples, 1)


def _cable(found: dict[str, np.ndarray], k: int) -> dict[str, Any]:
    nodes = found["cable_nodes"][0, k]
    return {
        "length": float(found["cable_length"][0, k]),
        "tension_exit": float(found["cable_tension_exit"][0, k]),
        "tension_anchor": float(found["cable_tension_anchor"][0, k]),
        "exit_force": found["exit_force"][0, k].tolist(),
        "anchor_force": found["anchor_force"][0, k].tolist(),
        "nodes": nodes[~np.isnan(nodes[:, 0])].tolist(),
    }
