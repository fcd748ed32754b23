import numpy as np
import pytest

from compare import relative_error
from taut.build.tree import TreeBuilder
from taut.dynamics.constraints.interface import drop_self_stress, factor_interface, solve_interface
from taut.model import new_factor
from taut.model.enums import ClosureKind

pytestmark = pytest.mark.nojit


def empty_factor(W):
    """A factor whose interface matrix is W."""
    builder = TreeBuilder()
    for k in range(len(W)):
        builder.add_closure(f"row {k}", ClosureKind.POINT, (0, 0), (np.zeros(3),) * 2, directions=(True, False, False))
    factor = new_factor(builder.finish(), W.dtype.type)
    factor.W[:] = np.tril(W)
    return factor


def random_gram(rng, rows, rank, dtype=np.float64):
    """W = Y^T D Y of the given rank, with rows of very different size; symmetric, not Hermitian, when complex."""
    Y = rng.normal(size=(rank, rows)) * 10.0 ** rng.uniform(-3, 3, size=rows)
    D = rng.uniform(1, 2, size=rank) + (1j * rng.uniform(-1, 1, size=rank) if dtype is np.complex128 else 0)
    return Y.T @ (D[:, None] * Y)


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("rows", [1, 6, 24])
def test_full_rank(rows, dtype):
    rng = np.random.default_rng(rows)
    W, expected = random_gram(rng, rows, rows + 5, dtype), rng.normal(size=rows)
    scale = np.sqrt(abs(np.diag(W)))
    factor, b = empty_factor(W), W @ (expected / scale)
    assert factor_interface(factor, rows) == rows
    solve_interface(factor, b)
    assert relative_error(b * scale, expected) < 1e-10


@pytest.mark.parametrize(("rows", "rank"), [(2, 1), (6, 5), (12, 7), (24, 20)])
def test_redundant_rows_get_the_smallest_scaled_solution(rows, rank):
    rng = np.random.default_rng(rows)
    W = random_gram(rng, rows, rank)
    factor, b = empty_factor(W), W @ rng.normal(size=rows)
    scale = 1 / np.sqrt(np.diag(W))
    expected = scale * (np.linalg.pinv(W * np.outer(scale, scale), rcond=1e-10) @ (scale * b))
    assert factor_interface(factor, rows) == rank
    solve_interface(factor, b)
    assert relative_error(b / scale, expected / scale) < 1e-8


@pytest.mark.parametrize(("rows", "rank"), [(2, 1), (6, 5), (12, 7)])
def test_redundant_complex_rows_are_solved(rows, rank):
    rng = np.random.default_rng(rows)
    W = random_gram(rng, rows, rank, np.complex128)
    factor, b = empty_factor(W), W @ rng.normal(size=rows)
    expected, scale = b.copy(), 1 / np.sqrt(abs(np.diag(W)))
    assert factor_interface(factor, rows) == rank
    solve_interface(factor, b)
    assert relative_error(scale * (W @ b), scale * expected) < 1e-8


def test_a_row_that_touches_nothing_is_redundant():
    factor, b = empty_factor(np.diag([2.0, 0.0])), np.array([1.0, 0.0])
    assert factor_interface(factor, 2) == 1
    solve_interface(factor, b)
    assert b == pytest.approx([0.5, 0.0], rel=1e-14)


def test_a_row_that_touches_nothing_but_by_rounding_is_redundant():
    factor, b = empty_factor(np.array([[2.0, 1e-17], [1e-17, 3e-33]])), np.array([1.0, 0.0])
    assert factor_interface(factor, 2) == 1
    solve_interface(factor, b)
    assert b == pytest.approx([0.5, 0.0], rel=1e-14)


def test_rows_that_depend_but_for_an_open_loop_count_once():
    W = np.array([[1.0, 1.0 - 1e-9], [1.0 - 1e-9, 1.0]])
    assert factor_interface(empty_factor(W), 2) == 2
    factor, b = empty_factor(W), np.array([1.0, 1.0])
    assert factor_interface(factor, 1) == 1
    solve_interface(factor, b)
    assert b == pytest.approx([0.5, 0.5], rel=1e-8)


@pytest.mark.parametrize("seed", range(20))
def test_rows_that_nearly_depend_are_solved_whichever_factor_is_made(seed):
    rng = np.random.default_rng(seed)
    Y = rng.normal(size=(4, 4))
    Y[:, 3] = Y[:, :3] @ rng.normal(size=3) + 10.0 ** rng.uniform(-6.5, -4.5) * Y[:, 3]
    W = Y.T @ Y
    b = W @ rng.normal(size=4)
    factor, lam = empty_factor(W), b.copy()
    factor_interface(factor, 4)
    solve_interface(factor, lam)
    assert relative_error(W @ lam, b) < 1e-3


@pytest.mark.parametrize(("rows", "rank"), [(1, 1), (6, 6), (12, 12), (12, 7)])
def test_compression_makes_an_indefinite_matrix_which_is_solved(rows, rank):
    rng = np.random.default_rng(rows)
    Y = rng.normal(size=(rank, rows))
    W = Y.T @ (np.where(np.arange(rank) % 3, 1.0, -1.0)[:, None] * Y)
    factor, b = empty_factor(W), W @ rng.normal(size=rows)
    expected = b.copy()
    assert factor_interface(factor, rows) == rank
    solve_interface(factor, b)
    assert relative_error(W @ b, expected) < 1e-8


def test_a_self_stress_is_dropped():
    rng = np.random.default_rng(3)
    W = random_gram(rng, 6, 4)
    factor, b = empty_factor(W), W @ rng.normal(size=6)
    factor_interface(factor, 6)
    solve_interface(factor, b)
    scale = 1 / np.sqrt(np.diag(W))
    idle = scale * np.linalg.svd(W * np.outer(scale, scale))[0][:, -1]
    lam = b + 10.0 * np.linalg.norm(b) * idle
    drop_self_stress(factor, lam)
    assert relative_error(lam, b) < 1e-8


def test_full_rank_has_no_self_stress():
    factor, lam = empty_factor(np.diag([2.0, 3.0])), np.array([1.0, 2.0])
    factor_interface(factor, 2)
    drop_self_stress(factor, lam)
    assert list(lam) == [1.0, 2.0]


def point_factor(W):
    """A factor whose three rows hold one point."""
    builder = TreeBuilder()
    builder.add_closure("point", ClosureKind.POINT, (0, 0), (np.zeros(3),) * 2)
    factor = new_factor(builder.finish(), W.dtype.type)
    factor.W[:] = np.tril(W)
    return factor


def test_a_row_of_noise_is_no_pivot_where_others_hold_the_same_point():
    J = np.array([[1.0, 0.2], [1e-9, 3e-10], [0.3, 1.0]])  # the second row is nothing but an error
    factor, b = point_factor(J @ J.T), np.array([1.0, 1e-5, 2.0])
    assert factor_interface(factor, 2) == 2
    assert factor.order[1] == -1
    solve_interface(factor, b)
    assert relative_error((J @ J.T @ b)[[0, 2]], np.array([1.0, 2.0])) < 1e-8
