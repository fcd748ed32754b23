"""Exudyn and MuJoCo on the 4-4 robot of [Mamidi 2024, sec. 4.2]: the benchmark gives them the same machine as us."""

import numpy as np
import pytest

from taut import library
from taut.bench import peers
from taut.build import build
from taut.dynamics.signals import evaluate_signals
from taut.model import new_data

exudyn_robot = pytest.importorskip("taut.bench.exudyn_robot", exc_type=ImportError)
mujoco_robot = pytest.importorskip("taut.bench.mujoco_robot", exc_type=ImportError)

pytestmark = pytest.mark.peers

DEVIATION = [4.4429, 4.4428, 0.2904]  # converged, two formulations [cm]


def robot(*changes):
    return build(library.load("mamidi-pick-and-place", changes))


def deviations(model, times, positions):
    """Largest deviation of the platform from the displacement of the exits [cm]."""
    data = new_data(model)
    exits = model.tables.nodes[model.names.nodes.index("C1.exit")].signal
    moved = np.zeros_like(positions)
    for k, time in enumerate(times):
        data.time[0] = time
        evaluate_signals(model.tables, data)
        moved[k] = data.signals[exits, 0]
    return 100 * np.abs(positions - positions[0] - moved).max(axis=0)


@pytest.mark.parametrize(("simulate", "dt", "tolerance"), [(exudyn_robot.simulate, 0.005, 5e-3),
                                                           (mujoco_robot.simulate, 0.001, 5e-2)])  # fmt: skip
def test_deviation_of_the_platform(simulate, dt, tolerance):
    model = robot()
    times, positions, seconds = simulate(model, dt)
    assert times == pytest.approx(np.arange(601) / 100)
    assert deviations(model, times, positions) == pytest.approx(DEVIATION, abs=tolerance)
    assert seconds > 0


def test_they_agree_on_cables_that_sag():
    model = robot("defaults.cable.length=0.8", "defaults.cable.elements=3", "run.duration=0.5")
    reference = peers.Reference(*exudyn_robot.simulate(model, 0.001)[:2])
    coarse, fine = mujoco_robot.rows(model, reference, (500, 2000))
    assert fine["error"] < 1e-3
    assert coarse["error"] / fine["error"] == pytest.approx(4, rel=0.3)  # first order


def test_other_machines_are_refused():
    with pytest.raises(ValueError, match="linear springs"):
        exudyn_robot.simulate(robot("defaults.cable.axial_law={law: bilinear}"), 0.01)


def test_samples_lie_on_the_grid():
    assert [peers.sample_period(dt) for dt in (0.02, 1 / 150, 1e-4)] == pytest.approx([0.02, 0.02, 0.01])
