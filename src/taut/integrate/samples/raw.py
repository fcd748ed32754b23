"""Raw samples of a run (state, accelerations, multipliers, work) and the channels computed from them."""

from typing import Any

import numpy as np

from taut.dynamics.constraints.closures import DISTANCE, is_open
from taut.dynamics.energy import drive_force, elastic_energy, gravity_energy, kinetic_energy
from taut.dynamics.forces.acting import length_scale
from taut.dynamics.forces.tethers import is_taut, tether_length, tether_tension
from taut.dynamics.modal.reduced_nodes import REDUCED
from taut.dynamics.residual import residual
from taut.dynamics.tree.joints import driven_signal, is_driven_joint
from taut.integrate.events.impact_law import PARTING
from taut.integrate.reduced.trust import trust
from taut.integrate.samples.cables import cable_channels
from taut.integrate.samples.quaternions import quaternions
from taut.integrate.samples.routes import route_channels
from taut.kernels.arrays import copy
from taut.kernels.bundle import Bundle
from taut.kernels.jit import entry, only_with, part
from taut.kernels.mat3 import load9, mat_vec
from taut.kernels.vec3 import load3
from taut.model import Data, Model
from taut.model.enums import JointKind


class Samples(Bundle):
    """A buffer of samples and the log of steps; methods fill it, ``channels`` reads it."""

    times: np.ndarray  # times of the samples [s], shape [time]
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    lam: np.ndarray
    z: np.ndarray
    work: np.ndarray  # input and dissipated work [J]
    log: np.ndarray  # per step: start [s], size [s], Newton iterations, error


SAMPLED = tuple(name for name in Samples._fields if name != "log")


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
    """Positions, forces and energies that the kernel reads off every sample."""

    nodes: np.ndarray  # [time, node, 21]: origin, velocity, angular velocity, acceleration, angular acc., force, axis z
    turns: np.ndarray  # rotations [time, node, 9]
    force: np.ndarray  # generalised forces the joints transmit [time, column]
    errors: np.ndarray  # closure errors and rates [time, row, 2]
    energies: np.ndarray  # kinetic, gravity and elastic energy [J], shape [time, 3]
    drives: np.ndarray  # position, velocity and force of the driven joints [time, drive, 3]
    signals: np.ndarray  # values of all signals [time, signal]
    free: np.ndarray  # coordinate of every column at which its spring is relaxed [time, column]
    routes: np.ndarray  # tension and unstrained length of every route [time, route, 2]
    modes: np.ndarray  # sides of the events [time, event]
    guides: np.ndarray  # centre, axis, arrival, leaving, direction to the next, load, wrap of every guide [.., 19]


@part
def forget_open(model, data, lam):
    """Zero the multipliers of open closures, which a method may have kept."""
    for j in range(len(model.closures)):
        closure = model.closures[j]
        if is_open(closure, data.modes):
            for row in range(closure.row, closure.row + closure.row_count):
                lam[row] = 0.0


@part
def relaxed_position(model, data, column):
    """Position at which a column's spring is relaxed."""
    return column.free * length_scale(column, data.signals)


@part
def read_routes(model, data, lam, raw, k):
    """Read tension and length of all routes of one sample."""
    for j in range(len(model.tethers)):
        read_tether(model, data, model.tethers[j], raw.routes[k])
    for j in range(len(model.closures)):
        if model.closures[j].kind == DISTANCE:
            read_distance(data, model.closures[j], lam, raw.routes[k])
    for i in range(len(data.guides)):
        here, row = data.guides[i], raw.guides[k, i]
        for j in range(3):
            row[j], row[3 + j], row[6 + j] = here.centre[j], here.axis[j], here.arrives[j]
            row[9 + j], row[12 + j], row[15 + j] = here.leaves[j], here.u[j], here.f[j]
        row[18] = here.wrap


@only_with("routes", otherwise=lambda model, data, tether, rows: None)
@part
def read_tether(model, data, tether, rows):
    """Tension and unstrained length of a tether."""
    spring, damper = tether_tension(tether, data)
    rows[tether.route, 0] = spring + damper if is_taut(tether, data) else 0.0
    rows[tether.route, 1], _ = tether_length(tether, data)


@part
def read_distance(data, closure, lam, rows):
    """Tension of a distance closure, which is its multiplier, and the unstrained length of its route."""
    rows[closure.route, 0] = lam[closure.row]
    rows[closure.route, 1] = closure.start + data.routes[closure.route].paid
    if closure.signal[0] >= 0:
        rows[closure.route, 1] += data.signals[closure.signal[0], 0]


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
            # the recursions take gravity for an upward acceleration of the world, which a sample must not show
            for j in range(3):
                row[j] = here.x[j]
                row[3 + j] = here.v[j]
                row[6 + j] = here.w[j]
                row[9 + j] = here.a[j] + g[j]
                row[12 + j] = here.alpha[j]
                row[15 + j] = here.F[j]
                row[18 + j] = here.R[3 * j + 2]
            if model.nodes[i].kind == REDUCED:
                # the exit carries the mass of the reduced cable too
                load = mat_vec(load9(here.R), load3(data.reduced.load[model.nodes[i].modal]))
                row[15] += load[0]
                row[16] += load[1]
                row[17] += load[2]
            copy(here.R, raw.turns[k, i])
        for j in range(len(data.signals)):
            raw.signals[k, j] = data.signals[j, 0]
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
        read_routes(model, data, samples.lam[k], raw, k)
        raw.energies[k, 0] = kinetic_energy(model, data)
        raw.energies[k, 1] = gravity_energy(model, data)
        raw.energies[k, 2] = elastic_energy(model, data)


def channels(model: Model, data: Data, samples: Samples, count: int) -> dict[str, np.ndarray]:
    """Channel arrays of the first ``count`` samples.

    Tensions of chains are what their joints transmit by the method's accelerations and multipliers, not what the law
    gives for the stretch.
    """
    return derived(model, *read(model, data, samples, count))


def read(model: Model, data: Data, samples: Samples, count: int) -> tuple[Samples, Raw]:
    """The first ``count`` samples, and what is read off them; ``data`` has the modes and commands of the run."""
    part, raw = new_blank(model, count)
    # copies, because the buffer is used again
    for name in SAMPLED:
        getattr(part, name)[:] = getattr(samples, name)[:count]
    raw.modes[:] = data.modes
    # read with exact forces, also from a run with piecewise linear ones
    read_samples(model.exact_tables, data, part, raw, np.zeros(model.column_count))
    return part, raw


def new_blank(model: Model, count: int) -> tuple[Samples, Raw]:
    """Empty arrays for samples, and for the values read off them."""
    nodes, n = len(model.tables.nodes), model.column_count
    return new_samples(model, np.zeros(count), 0), Raw(
        nodes=np.zeros((count, nodes, 21)),
        turns=np.zeros((count, nodes, 9)),
        force=np.zeros((count, n)),
        errors=np.zeros((count, model.row_count, 2)),
        energies=np.zeros((count, 3)),
        drives=np.zeros((count, len(model.names.drives), 3)),
        signals=np.zeros((count, len(model.tables.signals) + len(model.tables.feeds))),
        free=np.zeros((count, n)),
        routes=np.zeros((count, len(model.tables.routes), 2)),
        modes=np.zeros((count, len(model.tables.events)), np.int8),
        guides=np.zeros((count, len(model.tables.guides), 19)),
    )


def together(bundles: list[Any]) -> Any:
    """Several sets of samples, or of values read off them, joined one after the other."""
    kind = type(bundles[0])
    return (
        bundles[0]
        if len(bundles) == 1
        else kind(**{name: np.concatenate([getattr(part, name) for part in bundles]) for name in kind._fields})
    )


def derived(model: Model, part: Samples, raw: Raw) -> dict[str, np.ndarray]:
    """Channel arrays of samples that were read."""
    # only reduced models have a training range
    trusted = trust(model, part.q, part.v)
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
        **({"rom_trust": trusted} if trusted is not None else {}),
    }
    arrays |= body_channels(model, raw) | cable_channels(model, part, raw) | route_channels(model, raw, part.q)
    return arrays | closure_channels(model, part, raw)


def body_channels(model: Model, raw: Raw) -> dict[str, np.ndarray]:
    """Positions and motions of the bodies."""
    nodes = list(model.names.bodies.values())
    here = raw.nodes[:, nodes]
    return {
        "body_position": here[..., 0:3],
        "body_quaternion": quaternions(exact_turns(model, raw.turns, nodes)),
        "body_velocity": here[..., 3:6],
        "body_angular_velocity": here[..., 6:9],
        "body_acceleration": here[..., 9:12],
        "body_angular_acceleration": here[..., 12:15],
    }


def exact_turns(model: Model, turns: np.ndarray, nodes: list[int]) -> np.ndarray:
    """Rotations of nodes [time, node, 9]; of small ones the rotation about their vector."""
    found = turns[:, nodes]
    for k, node in enumerate(nodes):
        if model.tables.nodes[node].kind == JointKind.SMALL:
            from scipy.spatial.transform import Rotation  # slow to import, and few machines have small turns

            R = found[:, k]
            vectors = np.column_stack([-R[:, 5], R[:, 2], R[:, 3]])
            found[:, k] = Rotation.from_rotvec(vectors).as_matrix().reshape(-1, 9)
    return found


def forget_gaps(model: Model, samples: Samples, raw: Raw) -> dict[str, np.ndarray]:
    """Count errors of one-sided closures only while they press and do not part; their overlap is a channel."""
    closures = model.tables.closures
    rows = closures["row"][closures["is_unilateral"] != 0]
    if not len(rows):
        return {}
    overlap = np.maximum(-raw.errors[:, rows, 0], 0.0).max(axis=1)
    is_held = (samples.lam[:, rows] > 0.0) & (raw.errors[:, rows, 1] < PARTING)
    raw.errors[:, rows] = np.where(is_held[..., None], raw.errors[:, rows], 0.0)
    return {"contact_overlap": overlap}


def closure_channels(model: Model, samples: Samples, raw: Raw) -> dict[str, np.ndarray]:
    """Closure errors e1 and e2, of every closure and the largest of all."""
    overlap = forget_gaps(model, samples, raw)
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
        **overlap,
    }
