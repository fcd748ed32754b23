"""Optima of functions that are known: one goal, limits, two goals, resuming, failures."""

import numpy as np
import pytest

import taut
from taut.results.errors import ResultError
from taut.robots.workspaces.workspace import workspace
from taut.scenario.errors import ScenarioError
from taut.studies import optimum
from taut.studies.optimum import optimize, pareto_front
from taut.studies.running import COMPLETED, REFUSED, Outcome

KEYS = ("bodies.upper.mass", "bodies.lower.mass")


def bowl(goals, limits=()):
    vary = {key: {"from": 1, "to": 3, "count": 2} for key in KEYS} | {"run.duration": 0.01}
    measures = {name: {"max": "joint_position", "joint": "lower"} for name in ("f", "g")}
    return taut.study("double-pendulum", vary, measures, goals=goals, limits=limits)


@pytest.fixture
def calls(monkeypatch):
    """f is the distance to (1.5, 2.5) squared, g that to (2.5, 2.5); a corner fails."""
    count = []

    def run(values):
        count.append(len(values))
        return [outcome(own) for own in values]

    def outcome(values):
        x, y = (values[key] for key in KEYS)
        if x > 2.9 and y < 1.1:
            return Outcome(REFUSED, cause="corner", measures={"f": [np.nan], "g": [np.nan]})
        f, g = (x - 1.5) ** 2 + (y - 2.5) ** 2, (x - 2.5) ** 2 + (y - 2.5) ** 2
        return Outcome(COMPLETED, 1, measures={"f": [f], "g": [g]})

    monkeypatch.setattr(optimum, "runner", lambda plan, client: run)
    return count


@pytest.mark.parametrize("method", ["global", "noisy", "smooth"])
def test_one_goal(calls, method):
    found = optimize(bowl([{"minimize": "f"}]), method=method, evaluations=600)
    assert found.best is not None
    assert list(found.best.values.values()) == pytest.approx([1.5, 2.5], abs=2e-3 if method == "smooth" else 0.05)


@pytest.mark.parametrize("method", ["global", "smooth"])
def test_limits_hold(calls, method):
    found = optimize(bowl([{"minimize": "f"}], [{"measure": "g", "most": 0.25}]), method=method, evaluations=600)
    assert found.best is not None and found.best.measures["g"] <= 0.25 * (1 + 1e-5)
    assert found.best.measures["f"] == pytest.approx(0.25, rel=0.05)


def test_largest(calls):
    found = optimize(bowl([{"maximize": "f"}]), evaluations=400)
    # the farthest corner fails: its neighbourhood is best
    assert found.best is not None and found.best.measures["f"] > 3.5 and found.best.is_feasible


def test_two_goals_give_a_front(calls):
    found = optimize(bowl([{"minimize": "f"}, {"minimize": "g"}]), evaluations=1500)
    roots = [np.sqrt(point.measures["f"]) + np.sqrt(point.measures["g"]) for point in found.front]
    # on the line between both optima the distances add up to 1
    assert len(found.front) >= 7 and np.median(roots) == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("method", ["global", "noisy", "smooth"])
@pytest.mark.parametrize("goals", [[{"minimize": "f"}], [{"minimize": "f"}, {"minimize": "g"}]], ids=["one", "two"])
def test_no_more_points_than_allowed(calls, method, goals):
    found = optimize(bowl(goals), method=method, evaluations=30)
    assert sum(calls) == found.evaluations <= 30


def test_no_point_keeps_to_the_limits(calls):
    assert optimize(bowl([{"minimize": "f"}], [{"measure": "g", "most": -1}]), evaluations=50).best is None


def test_a_search_is_resumed_without_computing_again(calls, tmp_path):
    study, file = bowl([{"minimize": "f"}]), tmp_path / "s.jsonl"
    first = optimize(study, evaluations=200, journal=file)
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[: len(lines) // 2], lines[-1][:20]]))
    done = sum(calls)
    again = optimize(study, evaluations=200, journal=file)
    # the search takes the same way, and evaluates the points of the lost lines only
    assert again.best == first.best and again.evaluations == first.evaluations
    assert sum(calls) - done == done - (len(lines) // 2 - 1)
    with pytest.raises(ResultError, match="another study"):
        optimize(other(), journal=file)


def other():
    return taut.study("double-pendulum", {KEYS[0]: {"from": 1, "to": 2}}, {"ok": "audit"}, goals=[{"maximize": "ok"}])


def test_refused():
    with pytest.raises(ScenarioError, match="one goal, or two"):
        optimize(bowl([]))
    with pytest.raises(ScenarioError, match="did you mean 'global'"):
        optimize(bowl([{"minimize": "f"}]), method="globl")
    with pytest.raises(ScenarioError, match="is no measure of the study"):
        bowl([{"minimize": "ff"}])


def test_front():
    goals = np.array([[1.0, 3.0], [2.0, 2.0], [2.5, 2.5], [3.0, 1.0]])
    assert pareto_front(list("abcd"), goals) == ["a", "b", "d"]


def test_points_shown_are_spread_along_the_front():
    x = np.concatenate([np.linspace(0.0, 1e-3, 100), np.linspace(0.1, 1.0, 10)])
    front = tuple(optimum.Point({"x": own}, {"f": own, "g": 1.0 - own}, 0.0) for own in x)
    found = optimum.Optimum(("minimize f", "minimize g"), None, front, 110, True, "")
    shown = [point.values["x"] for point in found.spread(11)]
    assert shown == pytest.approx(np.linspace(0.0, 1.0, 11), abs=1e-3)


def test_robots_have_measures_without_a_run():
    vary = {"cables.C2.exit[1]": {"from": 0.8, "to": 1.4}, "cables.C4.exit[1]": {"tied": "cables.C2.exit[1]"}}
    demand = {"wrench": 5.0, "region": {"x": [-1, 1], "y": [-1, 1]}}
    measures = {"area": {"robot": "workspace_volume", "demand": demand}}
    study = taut.study("kntu-planar", vary, measures, goals=[{"maximize": "area"}])
    found = optimize(study, evaluations=20)
    model = taut.build(study.scenario({key: 1.4 for key in vary}))
    asked = workspace(model, demand["region"], wrench=5.0, volume=1e-3).volume
    # the farther apart the exits, the larger it is
    assert found.best is not None and found.best.values["cables.C2.exit[1]"] == pytest.approx(1.4, abs=1e-2)
    assert found.best.measures["area"] == pytest.approx(asked.value, rel=1e-2)


@pytest.mark.parametrize(
    ("base", "measure", "text"),
    [
        ("double-pendulum", {"robot": "workspace_volume"}, "measure.volume: cables: the scenario has no cables"),
        ("kntu-planar", {"robot": "workspace_volume", "demand": {"wrnch": 1}}, "wrnch: is no demand on a workspace"),
        ("kntu-planar", {"robot": "largest_tension", "demand": {}}, "goes with robot: workspace_volume only"),
    ],
)
def test_what_a_robot_cannot_be_asked_is_told_before_the_first_run(base, measure, text):
    with pytest.raises(ScenarioError, match=text):
        optimize(taut.study(base, {"run.duration": {"from": 1, "to": 2}}, {"volume": measure},
                            goals=[{"maximize": "volume"}]))  # fmt: skip
