"""Ten thousand random complementarity problems, of which it is known whether they have a solution, and all scales.

Solvable by construction: q = w - M z for complementary z and w. Without a solution by construction: a y > 0 with
M^T y = 0 and q.y < 0, so that y.(M z + q) < 0 for every z. Nothing of the solver's own check is used here.
"""

from collections.abc import Iterator

import numpy as np

from taut.kernels.jit import entry
from taut.kernels.lcp import NO_SOLUTION, SOLVED, new_complementarity, solve_by_second, solve_complementarity
from taut.verify.quantity import Quantity, at_most

COUNT = 10_000
KINDS = ("positive definite", "positive semidefinite", "without a solution", "degenerate")
LARGEST = 12  # most rows of a problem
EXACT = 1e-9  # allowed error of a solution, relative to its terms
SOURCE = "known by construction"


def quantities() -> Iterator[Quantity]:
    """Wrong answers, and solvable problems that were not solved, by kind."""
    for kind in KINDS:
        wrong, unsolved = count_failures(kind, COUNT // len(KINDS))
        yield at_most(f"wrong answers, {kind}", wrong, 0.0, SOURCE)
        yield at_most(f"failures, {kind}", unsolved, 0.0, SOURCE)
    wrong, unsolved = count_failures(KINDS[0], COUNT // len(KINDS), is_second=True)
    yield at_most("wrong answers, second solver alone", wrong, 0.0, SOURCE)
    yield at_most("failures, second solver alone", unsolved, 0.0, SOURCE)


@entry
def solve_first(M, q, z, n, work):
    """Solve by both solvers in turn, as the methods do."""
    return solve_complementarity(M, q, z, n, work)


@entry
def solve_second(M, q, z, n, work):
    """The second solver alone."""
    return solve_by_second(M, q, z, n, work)


def count_failures(kind: str, count: int, *, is_second: bool = False) -> tuple[int, int]:
    """Wrong answers, and answers that name the wrong outcome."""
    rng, work = np.random.default_rng(KINDS.index(kind)), new_complementarity(LARGEST)
    z, wrong, failed = np.zeros(LARGEST), 0, 0
    for _ in range(count):
        M, q = random_problem(kind, rng)
        code = (solve_second if is_second else solve_first)(M, q, z, len(q), work)
        if code == SOLVED:
            wrong += not is_right(M, q, z[: len(q)])
        elif kind != "without a solution":
            wrong += code == NO_SOLUTION
            failed += 1
        else:
            failed += code != NO_SOLUTION
    return wrong, failed


def random_problem(kind: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """One problem, its rows scaled by up to four powers of ten to either side."""
    n = int(rng.integers(1, LARGEST + 1))
    A, scale = rng.normal(size=(n, n)), 10.0 ** rng.uniform(-4, 4, size=n)
    z = np.maximum(rng.normal(size=n), 0.0)
    w = np.where(z > 0.0, 0.0, rng.random(n))
    if kind == "positive definite":
        B = rng.normal(size=(n, n))
        M = A @ A.T + 0.1 * np.eye(n) + rng.integers(2) * (B - B.T)
        q = rng.normal(size=n)
    elif kind == "positive semidefinite":
        A = A[:, : rng.integers(0, n)]
        M = A @ A.T
        q = w - M @ z
    elif kind == "without a solution":
        y, A = rng.random(n) + 0.1, A[:, : rng.integers(0, n)]
        A = A - np.outer(y, y @ A) / (y @ y)
        M, q = A @ A.T, rng.normal(size=n)
        q = q - y * (q @ y + 1.0) / (y @ y)
    else:
        # small integers produce degenerate problems: ties, zeros in z and w together, equal rows
        A = A.round()
        z, w = np.maximum(rng.integers(-1, 2, n), 0).astype(float), rng.integers(0, 2, n).astype(float)
        M = A @ A.T + rng.integers(2) * np.eye(n)
        q = np.where(z > 0.0, 0.0, w) - M @ z
    return scale[:, None] * M * scale, scale * q * 10.0 ** rng.uniform(-3, 3)


def is_right(M: np.ndarray, q: np.ndarray, z: np.ndarray) -> bool:
    """Whether z and w are not negative and complementary, against the size of the terms of w."""
    w, size = M @ z + q, np.abs(M) @ z + np.abs(q) + 1e-300
    return bool(np.all(z >= 0.0) and np.all(w >= -EXACT * size) and np.all((z == 0.0) | (w <= EXACT * size)))
