"""Tensions: balanced and within limits by every method, or infeasible with a proof that holds."""

import numpy as np
import pytest
from scipy.optimize import linprog

import taut
from robot_machines import eight_cables, planar, point
from taut.robots.rules import NEED_UPPER, RULES, new_wanted
from taut.robots.tensions import distribute_at, tensions

ROBOTS = {"eight": eight_cables(), "planar": planar(), "point": point()}


@pytest.mark.parametrize("method", RULES)
@pytest.mark.parametrize("name", ROBOTS)
def test_methods_balance_the_platform(name, method):
    robot = ROBOTS[name]
    found = tensions(robot, method=method)
    assert found.residuals[0] < 1e-12 and found.is_feasible[0]
    if method not in ("minimum-norm", "closed-form"):
        assert found.is_within[0] and found.outcomes == ("ok",)
    weight = found.wrenches[0][list(robot.wrench_rows).index("Fz")]
    assert weight == pytest.approx(9.81 * robot.mass)


@pytest.mark.parametrize("method", ["qp", "lp", "p-norm", "farthest", "barycentre", "analytic-centre"])
def test_each_method_has_the_best_of_what_it_looks_for(method):
    robot, rng = eight_cables(), np.random.default_rng(0)
    W = taut_structure(robot)
    best = tensions(robot, method=method).tensions[0]
    null = np.linalg.svd(W)[2][6:].T
    worth = {"qp": lambda f: f @ f, "lp": np.sum, "p-norm": lambda f: np.sum(f**4),
             "farthest": lambda f: -min((f - 20).min(), (900 - f).min()),
             "analytic-centre": lambda f: -np.sum(np.log(f - 20) + np.log(900 - f))}  # fmt: skip
    if method == "barycentre":
        inside = best + rng.uniform(-900, 900, (400_000, 2)) @ null.T
        inside = inside[np.all((inside >= 20) & (inside <= 900), axis=1)]
        assert inside.mean(axis=0) == pytest.approx(best, abs=6.0 * inside.std() / np.sqrt(len(inside)))
        return
    for step in (10.0, 0.01):
        others = best + step * rng.normal(size=(200, 2)) @ null.T
        others = others[np.all((others > 20) & (others < 900), axis=1)]
        assert all(worth[method](f) >= worth[method](best) - 1e-9 * abs(worth[method](best)) for f in others)


def taut_structure(robot):
    from taut.robots.lengths import lengths

    return lengths(robot).structure[0]


def test_an_impossible_load_is_proved_to_be_one():
    found = tensions(eight_cables(), wrench=[0, 0, -5000, 0, 0, 0])
    assert not found.is_feasible[0] and np.isnan(found.tensions).all()
    assert found.outcomes == ("the wrench cannot be made within the limits",)
    W, c = taut_structure(eight_cables()), found.directions[0]
    y = W.T @ c
    assert np.minimum(20 * y, 900 * y).sum() - c @ found.wrenches[0] == pytest.approx(found.missing[0])
    assert found.missing[0] > 0.0 and np.linalg.norm(c) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(3))
def test_random_problems_are_solved_or_proved_unsolvable(seed):
    rng, kinds = np.random.default_rng(seed), []
    for _ in range(150):
        n = int(rng.choice([2, 3, 6]))
        m = n + int(rng.integers(0, 5))
        # small integers and equal columns: degenerate ones too
        W = rng.normal(size=(n, m)) if rng.random() < 0.5 else rng.integers(-2, 3, (n, m)).astype(float)
        if np.linalg.matrix_rank(W) < n:
            continue
        lo = 10.0 ** rng.uniform(-1, 2, m)
        hi = lo + 10.0 ** rng.uniform(0, 3, m)
        w = (
            W @ (lo + np.round(rng.random(m), int(rng.integers(0, 9))) * (hi - lo))
            + rng.integers(0, 2) * rng.normal(size=n) * 50
        )
        one = distribute_at(W, w, "qp", new_wanted(m, n, (lo, hi)))
        exists = linprog(np.ones(m), A_eq=W, b_eq=w, bounds=np.stack([lo, hi], 1)).status == 0
        assert one.is_within == exists and (one.missing > 0.0) == (not exists)
        kinds.append(exists)
    assert 10 < sum(kinds) < len(kinds)


def test_along_a_path_the_tensions_carry_the_acceleration():
    t = np.linspace(0.0, 2.0, 401)
    poses = np.tile(point().start, (len(t), 1))
    poses[:, 2] += 0.1 * np.sin(4.0 * t)
    found = tensions(point(), poses, times=t)
    assert found.wrenches[200, 2] == pytest.approx(20.0 * (9.81 - 1.6 * np.sin(4.0)), abs=1e-3)
    assert found.to_xarray().cable_tension.dims == ("pose", "cable")


def test_tensions_of_smallest_sum_jump_and_those_of_smallest_squares_do_not():
    robot = taut.library.load("cogiro")
    changes = {}
    for method in ("lp", "qp"):
        for count in (101, 1001):
            poses = np.linspace([2.86, -2.8, 2.46, -0.06, 0.07, 0.01], [-1.6, -0.46, 1.06, -0.08, 0.03, 0.03], count)
            changes[method, count] = tensions(robot, poses, method=method).largest_change[0]
    # ten times finer: a tenth of the change, unless it is a jump
    assert changes["qp", 1001] == pytest.approx(0.1 * changes["qp", 101], rel=0.2)
    assert changes["lp", 1001] > 0.5 * changes["lp", 101] > 10.0 * changes["qp", 1001]


@pytest.mark.parametrize(("call", "words"), [
    (lambda: tensions(eight_cables(), method="best"), "is no method"),
    (lambda: tensions(point(freedom="spatial")), "3 cables cannot hold 6 freedoms"),
    (lambda: tensions(eight_cables(), limits=(50, 20)), "contradict each other"),
    (lambda: tensions(eight_cables(), wrench=[1, 2]), "needs 6 numbers Fx, Fy, Fz, Mx, My, Mz, and has 2"),
    (lambda: tensions(eight_cables(), power=1.0, method="p-norm"), "at least 2"),
])  # fmt: skip
def test_bad_input_gets_one_clear_answer(call, words):
    with pytest.raises(taut.ScenarioError) as error:
        call()
    assert words in str(error.value) and len(error.value.problems) == 1


@pytest.mark.parametrize("method", sorted(NEED_UPPER))
def test_what_needs_an_upper_limit_says_so(method):
    with pytest.raises(taut.ScenarioError, match="largest tension of the cables is not known"):
        tensions(eight_cables(tension_max=np.inf), method=method)


@pytest.mark.parametrize("heavy", [1.0, 1000.0])
def test_at_a_singular_pose_there_are_tensions_or_a_proof(heavy):
    # all cables and the weight go through one point: no moment can be made, but none is needed
    robot = planar(anchors=np.zeros((4, 3)), mass=4.0 * heavy)
    for method in RULES:
        found = tensions(robot, method=method)
        assert found.outcomes[0].startswith(("balanced at a singular pose", "the wrench cannot", "outside"))
        assert found.is_feasible[0] == (heavy == 1.0) and (found.missing[0] > 0.0) == (heavy > 1.0)
        if found.is_within[0]:
            f = found.tensions[0]
            assert found.residuals[0] < 1e-12 and np.all((f >= 5.0) & (f <= 400.0))
    W, w = taut.robots.lengths(robot).structure[0], found.wrenches[0]
    assert (linprog(np.ones(4), A_eq=W, b_eq=w, bounds=(5.0, 400.0)).status == 0) == (heavy == 1.0)


def test_a_wrench_that_a_singular_pose_cannot_make_has_a_proof():
    found = tensions(planar(anchors=np.zeros((4, 3))), wrench=[0.0, 0.0, 3.0])
    assert found.outcomes[0].startswith("singular pose") and not found.is_feasible[0]
    assert found.missing[0] == pytest.approx(3.0) and found.directions[0] == pytest.approx([0.0, 0.0, 1.0])
    # as many cables as freedoms, all in one plane: the weight across it cannot be carried
    flat = tensions(point(), [17 / 6, 11 / 6, 5.0])
    assert flat.missing[0] > 100.0 and not flat.is_within[0]
