"""Raw samples of a run (state, accelerations, multipliers, work) and the channels computed from them."""

import numpy as np

from taut.dynamics.closures import is_open
from taut.dynamics.energy import drive_force, elastic_energy, gravity_energy, kinetic_energy
from taut.dynamics.forces import length_scale
from taut.dynamics.joints import driven_signal, is_driven_joint
from taut.dynamics.residual import residual
from taut.kernels.arrays import copy
from taut.kernels.bundle import Bundle
from taut.kernels.jit import entry, part
from taut.model import Data, Model
from taut.results.channels import pad_cables


class Samples(Bundle):
    """A buffer of samples and the log of steps; methods fill it, ``channels`` reads it."""

    times: np.ndarray  # [s]
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    lam: np.ndarray
    z: np.ndarray
    work: np.ndarray  # input and dissipated work [J]
    log: np.ndarray  # per step: begin [s], size [s], Newton iterations, error


def new_samples(model: Model, times: np.ndarray, log_length: int = 4096) -> Samples:
    """An empty buffer for samples at the given times."""
    k, n = len(times), model.column_count
    return Samples(
        times=np.array(times, float),
        q=np.zeros((k, model.coordinate_count)),
        v=np.zeros((k, n)),
        a=np.zeros((k, n)),
        lam=np.zeros((k, model.row_count)),
        z=np.zeros((k, model.state_count)),
        work=np.zeros((k, 2)),
        log=np.zeros((log_length, 4)),
    )


class Raw(Bundle):
    """What the kernel reads off every sample."""

    nodes: np.ndarray  # [time, node, 21]: origin, velocity, angular velocity, acceleration, angular acc., force, axis z
    turns: np.ndarray  # rotations [time, node, 9]
    force: np.ndarray  # generalised forces the joints transmit [time, column]
    errors: np.ndarray  # closure errors and rates [time, row, 2]
    energies: np.ndarray  # kinetic, gravity, elastic [time, 3]
    drives: np.ndarray  # position, velocity and force of the driven joints [time, drive, 3]
    free: np.ndarray  # relaxed coordinate of every column; of a spool its coordinate [time, column]


@part
def forget_open(model, data, lam):
    """Open closures transmit nothing, whatever the method still has in their place."""
    for j in range(len(model.closures)):
        closure = model.closures[j]
        if is_open(closure, data.modes):
            for row in range(closure.row, closure.row + closure.row_count):
                lam[row] = 0.0


@part
def relaxed_position(model, data, column):
    """Where a column's spring is relaxed; the rod of a spool is all relaxed."""
    node = model.nodes[column.node]
    if node.is_fed and node.feed < 0:
        return data.q[column.coordinate]
    return column.free * length_scale(column, data.signals)


@entry
def read_samples(model, data, samples, raw, residuals):
    """Place the machine at every sample and read off positions, motions, forces, errors and energies."""
    g = model.settings[0].gravity
    for k in range(len(samples.times)):
        data.time[0] = samples.times[k]
        copy(samples.q[k], data.q)
        copy(samples.v[k], data.v)
        copy(samples.z[k], data.z)
        forget_open(model, data, samples.lam[k])
        residual(model, data, samples.a[k], samples.lam[k], residuals)
        for c in range(len(residuals)):
            raw.force[k, c] = residuals[c] + data.force[c]
            raw.free[k, c] = relaxed_position(model, data, model.columns[c])
        for i in range(len(data.nodes)):
            here = data.nodes[i]
            row = raw.nodes[k, i]
            for j in range(3):
                row[j] = here.x[j]
                row[3 + j] = here.v[j]
                row[6 + j] = here.w[j]
                row[9 + j] = here.a[j] + g[j]
                row[12 + j] = here.alpha[j]
                row[15 + j] = here.F[j]
                row[18 + j] = here.R[3 * j + 2]
            copy(here.R, raw.turns[k, i])
        for j in range(len(data.rows)):
            raw.errors[k, j, 0] = data.rows[j].value
            raw.errors[k, j, 1] = data.rows[j].rate
        d = 0
        for i in range(1, len(model.nodes)):
            if is_driven_joint(model.nodes[i]):
                raw.drives[k, d, 0] = driven_signal(model.nodes[i], data.signals, 0)
                raw.drives[k, d, 1] = driven_signal(model.nodes[i], data.signals, 1)
                raw.drives[k, d, 2] = drive_force(model.nodes[i], data.nodes[i])
                d += 1
        raw.energies[k, 0] = kinetic_energy(model, data)
        raw.energies[k, 1] = gravity_energy(model, data)
        raw.energies[k, 2] = elastic_energy(model, data)


def channels(model: Model, data: Data, samples: Samples, count: int) -> dict[str, np.ndarray]:
    """Channel arrays of the first ``count`` samples; the forces are those of the method, not of the stretch."""
    cut = {name: getattr(samples, name)[:count] for name in Samples._fields}
    part = Samples(**cut)
    shape = (count, len(model.tables.nodes))
    raw = Raw(
        nodes=np.zeros((*shape, 21)),
        turns=np.zeros((*shape, 9)),
        force=np.zeros((count, model.column_count)),
        errors=np.zeros((count, model.row_count, 2)),
        energies=np.zeros((count, 3)),
        drives=np.zeros((count, len(model.names.drives), 3)),
        free=np.zeros((count, model.column_count)),
    )
    read_samples(model.tables, data, part, raw, np.zeros(model.column_count))
    arrays = {
        "joint_position": part.q,
        "joint_velocity": part.v,
        "joint_acceleration": part.a,
        "multiplier": part.lam,
        "energy_kinetic": raw.energies[:, 0],
        "energy_gravity": raw.energies[:, 1],
        "energy_elastic": raw.energies[:, 2],
        "work_input": part.work[:, 0],
        "work_dissipated": part.work[:, 1],
        "drive_position": raw.drives[..., 0],
        "drive_velocity": raw.drives[..., 1],
        "drive_force": raw.drives[..., 2],
    }
    return arrays | body_channels(model, raw) | cable_channels(model, part, raw) | closure_channels(model, raw)


def body_channels(model: Model, raw: Raw) -> dict[str, np.ndarray]:
    """Positions and motions of the bodies."""
    nodes = list(model.names.bodies.values())
    here = raw.nodes[:, nodes]
    return {
        "body_position": here[..., 0:3],
        "body_quaternion": quaternions(raw.turns[:, nodes]),
        "body_velocity": here[..., 3:6],
        "body_angular_velocity": here[..., 6:9],
        "body_acceleration": here[..., 9:12],
        "body_angular_acceleration": here[..., 12:15],
    }


def quaternions(turns: np.ndarray) -> np.ndarray:
    """Quaternions (w, x, y, z), continuous in time, of rotations [time, body, 9]."""
    from scipy.spatial.transform import Rotation

    shape = turns.shape[:2]
    xyzw = (
        Rotation.from_matrix(turns.reshape(-1, 3, 3)).as_quat().reshape(*shape, 4)
        if turns.size
        else np.zeros((*shape, 4))
    )
    wxyz = xyzw[..., [3, 0, 1, 2]]
    flips = np.sign(np.sum(wxyz[1:] * wxyz[:-1], axis=-1))
    wxyz[1:] *= np.cumprod(np.where(flips == 0, 1.0, flips), axis=0)[..., None]
    return wxyz


def cable_channels(model: Model, samples: Samples, raw: Raw) -> dict[str, np.ndarray]:
    """Shapes, tensions and end forces of the cables."""
    if not model.names.cables:
        return {}
    tables = model.tables
    nodes, tension, length, exits, anchors, pulls = [], [], [], [], [], []
    for name, stretches in model.names.cables.items():
        chain = list(stretches)
        first = int(tables.nodes[chain[0]].parent)
        columns = tables.nodes["column"][chain]
        nodes.append(raw.nodes[:, [first, *chain], 0:3])
        tension.append(-raw.force[:, columns])
        length.append(raw.free[:, columns].sum(axis=1))
        exits.append(raw.nodes[:, first, 15:18] + rope_forces(model, samples, raw, name))
        anchors.append(anchor_forces(model, samples, name))
        pulls.append((-np.sum(exits[-1] * raw.nodes[:, first, 18:21], axis=1),
                      np.sum(anchors[-1] * raw.nodes[:, chain[-1], 18:21], axis=1)))  # fmt: skip
    tensions = pad_cables(tension)
    return {
        "cable_nodes": pad_cables(nodes),
        "cable_tension": tensions,
        "cable_slack": tensions <= 0.0,
        "cable_tension_exit": np.stack([pull[0] for pull in pulls], axis=1),
        "cable_tension_anchor": np.stack([pull[1] for pull in pulls], axis=1),
        "cable_length": np.stack(length, axis=1),
        "anchor_force": np.stack(anchors, axis=1),
        "exit_force": np.stack(exits, axis=1),
    }


def rope_forces(model: Model, samples: Samples, raw: Raw, cable: str) -> np.ndarray:
    """Pull of the rope that comes over a pulley on the cable's begin, world axes [time, 3]; zero without one."""
    if f"{cable}.rope" not in model.names.closures:
        return np.zeros((len(samples.times), 3))
    closure = model.tables.closures[model.names.closures.index(f"{cable}.rope")]
    return samples.lam[:, closure.row, None] * raw.nodes[:, closure.node_a, 18:21]


def anchor_forces(model: Model, samples: Samples, cable: str) -> np.ndarray:
    """Force of the anchor on the cable's end, world axes [time, 3]: its multipliers."""
    closure = model.tables.closures[model.names.closures.index(f"{cable}.anchor")]
    force = np.zeros((len(samples.times), 3))
    held = np.flatnonzero(closure.point_rows)
    force[:, held] = samples.lam[:, closure.row : closure.row + len(held)]
    return force


def closure_channels(model: Model, raw: Raw) -> dict[str, np.ndarray]:
    """Closure errors e1 and e2, of every closure and the largest of all."""
    count = len(raw.errors)
    if model.row_count == 0:
        return {"constraint_error": np.zeros(count), "constraint_error_velocity": np.zeros(count)}
    starts = model.tables.closures["row"]
    worst = np.maximum.reduceat(np.abs(raw.errors), starts, axis=1)
    return {
        "closure_error": worst[..., 0],
        "closure_error_velocity": worst[..., 1],
        "constraint_error": worst[..., 0].max(axis=1),
        "constraint_error_velocity": worst[..., 1].max(axis=1),
    }
