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
    """x of the grid by HiGHS: the largest sum, which is the largest everywhere."""
    n, m, k = len(found.times), len(robot.cables), robot.freedoms
    steps, limits = np.diff(found.parameter), list(zip(robot.tension_min, robot.tension_max, strict=True))
    one = unit_path(robot, arc(robot), n)
    full = one.full
    W, rest = reach_poses(robot, found.poses).W, required_wrenches(robot, Path(full))
    first = required_wrenches(robot, Path(full, one.times, 0.0 * one.twists, one.twists)) - rest
    second = required_wrenches(robot, one) - rest
    width = m + 2  # f, u, x of a point
    A, b = lil_matrix((n * k + n - 1, n * width)), np.zeros(n * k + n - 1)
    for i in range(n):
        A[i * k : i * k + k, i * width : i * width + m] = W[i]
        A[i * k : i * k + k, i * width + m] = -first[i][:, None]
        A[i * k : i * k + k, i * width + m + 1] = -second[i][:, None]
        b[i * k : i * k + k] = rest[i]
    for i in range(n - 1):
        A[n * k + i, [i * width + m + 1, i * width + m, (i + 1) * width + m + 1]] = [1.0, 2.0 * steps[i], -1.0]
    top = (speed / np.abs(np.einsum("knm,kn->km", W, one.twists[:, robot.rows])).max(axis=1)) ** 2
    bounds = [bound for i in range(n) for bound in
              [*limits, (None, None), (0.0, 0.0 if i in (0, n - 1) else top[i])]]  # fmt: skip
    cost = np.zeros(n * width)
    cost[m + 1 :: width] = -1.0
    return linprog(cost, A_eq=A.tocsr(), b_eq=b, bounds=bounds).x[m + 1 :: width]


@pytest.mark.parametrize("speed", [np.inf, 1.0])
@pytest.mark.parametrize("robot", [eight_cables(), point()], ids=["eight", "point"])
def test_the_law_is_that_of_the_linear_program(robot, speed):
    found = fastest_times(robot, arc(robot), speed=speed, samples=31)
    other = largest_squares(found, robot, speed)
    assert found.rates**2 == pytest.approx(other, rel=1e-6, abs=1e-6 * other.max())
    # a margin of rounding: the law is at the limits
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
