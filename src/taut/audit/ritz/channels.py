"""Channels and energies of Ritz cables, from their fields at some moments.

The modes' strains vanish at the anchor, whatever the force there. The missing part of the anchor's force is distributed
like the residual of a constant strain that the modes cannot represent, found here by least squares.
"""

from typing import Any

import numpy as np

from taut.audit.ritz.ropes import SPARE, Family, Ropes, at, families, ropes, rule, waves
from taut.audit.twin.closures import is_open
from taut.audit.twin.points import Points
from taut.model import Model

LEAST_PIECES = 8  # least number of pieces by which a cable is represented in the channels


def channels(model: Model, points: Points, signals: np.ndarray) -> Any:
    """Channels, the part of each that is compared (along all axes but time), and the expected values."""
    numbers = {names[0]: k for k, names in enumerate(model.names.cables.values()) if len(names) == 1}
    for family in families(model):
        modes = int(family.rows["modes"][0]) if family.axial is None else len(family.axial)
        count = max(modes, LEAST_PIECES)
        ends = np.linspace(0.0, 1.0, count + 1)
        xi = np.concatenate([ends, 0.5 * (ends[1:] + ends[:-1])])
        here = Ropes(model, family, points, signals, xi=xi)
        force, moment = anchor_forces(model, points, family)
        stress = whole_stress(here, modes, -force[..., 2], moment)
        places = places_of(here)
        for i, node in enumerate(family.rows["node"]):
            own = (slice(None), numbers[int(node)])
            tension, top = stress[:, i, 0], stress[:, i, 0, :1]
            yield "cable_nodes", (*own, slice(0, count + 1)), places[:, i, : count + 1]
            yield "cable_tension", (*own, slice(0, count)), tension[:, count + 1 :]
            yield "cable_tension_exit", own, top[:, 0]
            yield "cable_tension_anchor", own, tension[:, count]
            yield "cable_length", own, here.length[0][:, i]
            yield "anchor_force", own, force[:, i]
            yield "exit_force", own, top * np.column_stack([-here.leans[:, i, :, 0], np.ones(len(points))])
            if family.fields == 2:
                yield "cable_torque", (*own, slice(0, count + 1)), stress[:, i, 1, : count + 1]


def places_of(here: Ropes) -> np.ndarray:
    """World positions [point, cable, place, 3]."""
    below = at(here.axial[0, :, :, 0], here.along[0]) + here.length[0][..., None] * here.xi
    height = here.moved[0, ..., 2, None] - below
    aside = np.moveaxis(here.aside[0], 2, 3)
    return np.concatenate([aside, height[..., None]], axis=-1) + here.rows["start"][:, None]


def whole_stress(here: Ropes, modes: int, pull: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Tension and torque including the part that the modes miss [point, cable, field, place]."""
    by_modes = here.rest + here.stresses(*here.strains)
    x, weights = rule(2 * modes + SPARE)
    root = np.sqrt(weights)
    fit: Any = np.linalg.lstsq(root[:, None] * waves(modes, x)[1], root, rcond=None)[0]
    rest = 1.0 - waves(modes, here.xi)[1] @ fit
    # xi lists the ends of pieces, then their middles: the anchor is the last end
    last = (len(here.xi) - 1) // 2
    given = np.stack([pull, moment], axis=-1)[..., : by_modes.shape[2]]
    return by_modes + (given - by_modes[..., last])[..., None] * rest


def anchor_forces(model: Model, points: Points, family: Family) -> tuple[np.ndarray, np.ndarray]:
    """Force of the body on the cables' ends [point, cable, 3], and the torque there, by the multipliers."""
    force, moment = np.zeros((len(points), len(family.rows), 3)), np.zeros((len(points), len(family.rows)))
    for closure in model.tables.closures:
        for end, sign in ((closure.node_a, 1.0), (closure.node_b, -1.0)):
            for i in np.flatnonzero(family.rows["node"] == end):
                lam = points.lam[:, closure.row : closure.row + closure.row_count]
                lam = sign * lam * ~is_open(closure, points.modes)[:, None]
                held = np.flatnonzero(closure.point_rows)
                force[:, i, held] += lam[:, : len(held)]
                moment[:, i] -= lam[:, len(held) :].sum(axis=1)
    return force, moment


def energies(model: Model, points: Points, signals: np.ndarray) -> dict[str, np.ndarray]:
    """Kinetic, gravity and elastic energy of all Ritz cables [J, by point]."""
    found = {name: np.zeros(len(points)) for name in ("kinetic", "gravity", "elastic")}
    for here in ropes(model, points, signals):
        for name, density in densities(here).items():
            found[name] += np.sum(density @ here.weights * here.length[0], axis=1)
        if here.is_leaning:
            coarse = here.with_model_rule()
            found["elastic"] += np.sum(leaning_density(coarse) @ coarse.weights * here.length[0], axis=1)
    return found


def densities(here: Ropes) -> dict[str, np.ndarray]:
    """Energies per length, without what leaning adds to the strain [point, cable, place]."""
    rho, Q1, Q23, Q4 = (here.number(name) for name in ("line_density", "axial_stiffness", "coupling", "turn_stiffness"))
    speed = here.down[1, :, :, 0] ** 2
    strain, twist = here.modal_strains
    tension = here.reference
    elastic = tension * (strain + Q23 / Q1 * twist) + (0.5 * Q1 * strain + Q23 * twist) * strain
    kinetic = 0.0 * speed
    if here.family.fields == 2:
        kinetic = 0.5 * here.number("turn_inertia") * here.down[1, :, :, 1] ** 2
    if here.rows["lateral"][0]:
        speed = speed + np.sum(here.aside[1] ** 2, axis=2)
        elastic = elastic + 0.5 * tension * np.sum(here.leans**2, axis=2)
    return {
        "kinetic": kinetic + 0.5 * rho * speed,
        "gravity": rho * here.gravity * places_of(here)[..., 2],
        "elastic": elastic + 0.5 * Q4 * twist**2,
    }


def leaning_density(here: Ropes) -> np.ndarray:
    """Elastic energy per length of the strain that leaning adds, beyond the tension of the reference state."""
    strain, twist = here.modal_strains
    tension = here.number("axial_stiffness") * (strain + 0.5 * here.leaning) + here.number("coupling") * twist
    return tension * here.leaning
