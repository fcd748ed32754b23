"""The fastest time law against a linear program with all tensions as unknowns, and against closed forms."""

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import lil_matrix

import taut
from robot_machines import eight_cables, point
from taut.robots.motion import fastest
from taut.robots.paths import Path, required_wrenches
from taut.robots.poses import reach_poses
from taut.robots.tensions import tensions
from taut.robots.timing import fastest_times, unit_path


def arc(robot, count=9):
    s = np.linspace(0.0, 1.0, count)[:, None]
    away = np.zeros(robot.freedoms)
    away[:3] = [1.0, 0.5, 0.3]
    across = np.zeros(robot.freedoms)
    across[-1] = 0.2
    return robot.start + (s - 0.5) * away + np.sin(np.pi * s) * across


def largest_squares(found, robot, speed):
    """x of the grid by HiGHS: the largest sum, which is the largest everywhere; tensions at both ends of intervals."""
    n, m, k = len(found.times), len(robot.cables), robot.freedoms
    steps, limits = np.diff(found.parameter), list(zip(robot.tension_min, robot.tension_max, strict=True))
    one = unit_path(robot, arc(robot), n)
    W, rest = reach_poses(robot, found.poses).W, required_wrenches(robot, Path(one.full))
    first = required_wrenches(robot, Path(one.full, one.times, 0.0 * one.twists, one.twists)) - rest
    second = required_wrenches(robot, one) - rest
    width, last = 2 * m + 2, (n - 1) * (2 * m + 2)  # x of a point, and behind it u and the tensions of both ends
    A, b = lil_matrix(((n - 1) * (2 * k + 1), last + 1)), np.zeros((n - 1) * (2 * k + 1))
    for i in range(n - 1):
        x, u, row = i * width, i * width + 1, i * (2 * k + 1)
        for end in (0, 1):
            pulls, rows = u + 1 + end * m, slice(row + end * k, row + end * k + k)
            A[rows, pulls : pulls + m] = W[i + end]
            A[rows, u] = -first[i + end][:, None]
            A[rows, x + end * width] = -second[i + end][:, None]
            b[rows] = rest[i + end]
        A[row + 2 * k, [x, u, x + width]] = [1.0, 2.0 * steps[i], -1.0]
    top = (speed / np.abs(np.einsum("knm,kn->km", W, one.twists[:, robot.rows])).max(axis=1)) ** 2
    bounds = [bound for i in range(n - 1) for bound in
              [(0.0, 0.0 if i == 0 else top[i]), (None, None), *limits, *limits]]  # fmt: skip
    cost = np.zeros(last + 1)
    cost[::width] = -1.0
    return linprog(cost, A_eq=A.tocsr(), b_eq=b, bounds=[*bounds, (0.0, 0.0)]).x[::width]


@pytest.mark.parametrize("speed", [np.inf, 1.0])
@pytest.mark.parametrize("robot", [eight_cables(), point()], ids=["eight", "point"])
def test_the_law_is_that_of_the_linear_program(robot, speed):
    found = fastest_times(robot, arc(robot), speed=speed, samples=31)
    other = largest_squares(found, robot, speed)
    assert found.rates**2 == pytest.approx(other, rel=1e-6, abs=1e-6 * other.max())
    # the law runs at the limits, which rounding may exceed a little
    lower, upper = robot.tension_min * (1 - 1e-9), robot.tension_max * (1 + 1e-9)
    assert tensions(robot, found.path, limits=(lower, upper)).is_feasible.all()


def test_every_point_is_at_a_limit_and_none_is_exceeded():
    robot = eight_cables()
    found = fastest_times(robot, arc(robot), speed=1.2, samples=101)
    assert np.abs(found.speeds).max() <= 1.2 and found.margins.min() > -1e-6
    fastest_cable = np.abs(found.speeds).max(axis=1)
    at_a_limit = (found.margins < 1e-3) | (fastest_cable > 1.2 * (1.0 - 1e-3))
    # where the law changes from one limit to another it passes a point of the grid or two
    assert at_a_limit.mean() > 0.9
    slower = fastest(robot, arc(robot), times=np.linspace(0, 3, 9), speed=1.2)
    assert slower.factor > 0.0 and np.isfinite(slower.duration)


def test_the_law_has_no_kinks_of_the_grid():
    # at points where an acceleration does not matter to the cable at its limit, coarse grids made notches
    robot, t = point(), np.linspace(0.0, 6.3, 64)
    path = np.stack([2.5 + np.sin(t), 1.8 + 0.8 * np.cos(t), 2.0 + 0.3 * np.sin(2.0 * t)], axis=-1)
    coarse, fine = (fastest_times(robot, path, speed=1.5, samples=count) for count in (201, 1601))
    away = coarse.rates - fine.rates[::8]
    inner = (coarse.parameter > 0.1) & (coarse.parameter < coarse.parameter[-1] - 0.1)
    assert np.abs(away[inner]).max() < 0.05 and coarse.duration == pytest.approx(fine.duration, rel=2e-3)


def test_speed_limits_alone_scale_the_time():
    robot = point()
    t = np.linspace(0.0, 30.0, 40)
    slow = fastest(robot, arc(robot, 40), times=t, speed=0.2)
    fast = fastest(robot, arc(robot, 40), times=t, speed=0.4)
    assert fast.factor == pytest.approx(2.0 * slow.factor)


def test_paths_that_cannot_be_gone_have_one_clear_answer():
    robot = point()
    far = np.linspace([0.0, 0.0, 1.0], [9.0, 9.0, 1.0], 6)
    for call, words in ((lambda: fastest_times(robot, far), "cannot rest at"),
                        (lambda: fastest_times(robot, far[:3]), "at least four"),
                        (lambda: fastest_times(robot, arc(robot), speed=0.0), "must be positive"),
                        (lambda: fastest_times(robot, arc(robot), limits=(0.0, np.inf)),
                         "largest tension")):  # fmt: skip
        with pytest.raises(taut.ScenarioError, match=words):
            call()
