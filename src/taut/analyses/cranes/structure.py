"""What the mass matrix of a crane is like: blocks, couplings, ranks; checked numerically, item by item.

Items of [Brogliato2022, Lemma 1], with its misprints put right, for cranes in the plane and in space. Blocks are
those of (carrier and angles) and of the lengths, [Brogliato2022, Eqs. 13, 14].
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taut.analyses.cranes.lumped import LumpedCrane

SMALL = 1e-4  # angle at which orders of growth are measured [rad]
ZERO = 1e-12


@dataclass(frozen=True)
class Structure:
    """Numbers behind the statements; all relative to the largest entry of the blocks concerned."""

    is_positive_definite: bool  # item 1: whether both diagonal blocks of M are positive definite at the vertical
    # item 1: largest entry of the block that couples lengths and angles, at the vertical; expected zero
    length_coupling_vertical: float
    # item 2: power of the angles with which the coupling of lengths and angles grows; expected 1
    length_coupling_order: float
    # item 2: power of the angles with which M_ll changes; expected 2, that is, constant to first order
    length_block_order: float
    # item 3: difference between the diagonal of M_ll and the carried masses, at random states; expected zero
    length_diagonal_error: float
    rail_angle_least: float  # item 4: smallest coupling of a rail with the angles of its own plane at the vertical
    rail_angle_across: float  # item 4: largest coupling of a rail with the angles of the other plane; expected zero
    angle_coupling_least: float  # item 5: smallest coupling between angles of one plane at the vertical
    # item 5: largest coupling between angles of different planes at the vertical; expected zero
    angle_coupling_across: float
    linear_in_lengths: float  # item 6: M_x,angle(2 l) - 2 M_x,angle(l), zero if linear in the lengths l
    coriolis_vertical: float  # item 7: largest entry of C v at the vertical with varying lengths; expected not zero
    # item 8: rank of M_ll at the vertical if all nodes but the payload are massless; expected 1
    massless_rank_vertical: int
    # item 8: rank of M_ll at random angles if all nodes but the payload are massless; at most the dimension of space
    massless_rank: int
    # item 8: condition number of M_ll at the vertical with nodes of 1, 1e-1, ... 1e-6 of the payload's mass
    condition: tuple[float, ...]


def structure(crane: LumpedCrane, lengths: Any, seed: int = 0) -> Structure:
    """Examine a crane with all lengths free, at the vertical and at random states."""
    crane = replace(crane, lengths="free")
    rng, n, first = np.random.default_rng(seed), crane.count, crane.size - crane.count
    vertical = np.concatenate([np.zeros(first), np.asarray(lengths, float)])
    swing = np.concatenate([np.zeros(crane.rail_count), rng.uniform(0.5, 1.0, first - crane.rail_count), np.zeros(n)])
    M = crane.mass_matrix(vertical)
    rails, angles, lens = np.split(np.arange(crane.size), [crane.rail_count, first])
    planes = crane.rail_count
    own = np.array([[angles[k] for k in range(p, len(angles), planes)] for p in range(planes)])
    v = rng.normal(size=crane.size)
    doubled = np.concatenate([swing[:first], 2.0 * vertical[first:]])
    once = crane.mass_matrix(vertical + swing)
    twice = crane.mass_matrix(doubled)
    scale_ra = np.abs(M[np.ix_(rails, angles)]).max()
    return Structure(
        is_positive_definite=all(np.linalg.eigvalsh(M[np.ix_(b, b)]).min() > 0.0 for b in (np.arange(first), lens)),
        length_coupling_vertical=relative(M[:first, first:], M[first:, first:]),
        length_coupling_order=order(crane, vertical, swing, np.s_[:first, first:]),
        length_block_order=order(crane, vertical, swing, np.s_[first:, first:]),
        length_diagonal_error=diagonal_error(crane, rng),
        rail_angle_least=min(np.abs(M[p, own[p]]).min() for p in range(planes)) / scale_ra,
        rail_angle_across=max((np.abs(M[p, own[r]]).max() for p in range(planes) for r in range(planes) if r != p),
                              default=0.0) / scale_ra,
        angle_coupling_least=min(np.abs(M[np.ix_(o, o)]).min() for o in own) / np.abs(M[np.ix_(angles, angles)]).max(),
        angle_coupling_across=max((relative(M[np.ix_(a, b)], M[np.ix_(a, a)]) for a in own for b in own if a is not b
                                   and not np.array_equal(a, b)), default=0.0),
        linear_in_lengths=relative(twice[np.ix_(rails, angles)] - 2.0 * once[np.ix_(rails, angles)], once),
        coriolis_vertical=float(np.abs(crane.coriolis(vertical, v) @ v).max()),
        massless_rank_vertical=massless_rank(crane, vertical),
        massless_rank=massless_rank(crane, vertical + 0.7 * swing + 0.3 * np.sin(7.0 * swing)),
        condition=tuple(float(np.linalg.cond(length_block(crane, vertical, 10.0**-k))) for k in range(7)),
    )  # fmt: skip


def relative(block: np.ndarray, to: np.ndarray) -> float:
    """Largest entry against the largest of another block."""
    return float(np.abs(block).max() / np.abs(to).max())


def order(crane: LumpedCrane, vertical: np.ndarray, swing: np.ndarray, block: Any) -> float:
    """Power of the angles with which a block leaves its value at the vertical."""
    start = crane.mass_matrix(vertical)[block]
    near, far = (np.abs(crane.mass_matrix(vertical + s * swing)[block] - start).max() for s in (SMALL, 2.0 * SMALL))
    return float(np.log2(far / near)) if near > 0.0 else np.inf


def diagonal_error(crane: LumpedCrane, rng: np.random.Generator) -> float:
    """Diagonal of M_ll against the mass each link carries, at random states."""
    carried = np.cumsum(np.array(crane.masses)[::-1])[::-1]
    worst = 0.0
    for _ in range(20):
        q = rng.uniform(0.3, 2.0, crane.size)
        worst = max(worst, float(np.abs(np.diag(crane.mass_matrix(q))[-crane.count :] / carried - 1.0).max()))
    return worst


def length_block(crane: LumpedCrane, q: np.ndarray, share: float) -> np.ndarray:
    """M_ll when every node but the payload has this share of the payload's mass."""
    light = replace(crane, masses=(share * crane.masses[-1],) * (crane.count - 1) + crane.masses[-1:])
    return light.mass_matrix(q)[-crane.count :, -crane.count :]


def massless_rank(crane: LumpedCrane, q: np.ndarray) -> int:
    """Rank of M_ll without the masses of the nodes: that of the links' directions."""
    return int(np.linalg.matrix_rank(length_block(crane, q, 0.0), tol=ZERO * crane.masses[-1] * crane.count))
