"""Reduced models: errors, file, and warnings outside of the training."""

import numpy as np
import pytest

from reference.reduced import directions_of
from taut import library
from taut.analyses.reduction import compare, reduce
from taut.analyses.reduction.basis import coordinates
from taut.analyses.reduction.fields import elements_of, fields_in
from taut.build import build
from taut.build.reduction.reduction import build_reduced, load_reduction
from taut.integrate.simulate import simulate
from taut.integrate.step.scales import shape_reaches
from taut.results.errors import ResultError
from taut.scenario.errors import ScenarioError

SHORT = ["cables[0].elements=10", "run.duration=4"]
FAR = "drivers.trolley.motion.values=[0, 20]"


def crane(*settings):
    """The crane with a heavy rope, short."""
    return library.load("crane-heavy-rope", [*SHORT, *settings])


@pytest.fixture(scope="module")
def rom():
    return reduce(crane())


def test_reduced_crane_does_what_the_full_one_does(rom):
    model = build(crane())
    full, reduced = simulate(model), simulate(model, rom=rom)
    errors = compare(full, reduced)
    assert max(errors.moved, errors.body) < 5e-3
    assert reduced["rom_trust"].max() <= 1.0
    assert reduced.audit["verdict"] == "pass"
    assert build_reduced(crane(), rom).column_count < 0.6 * model.column_count
    tension = "cable_tension_exit"
    assert np.abs(reduced[tension] - full[tension]).max() < 0.01 * np.abs(full[tension]).max()


def test_errors_of_a_run_with_itself_are_none():
    full = simulate(build(crane()))
    errors = compare(full, full)
    assert errors.moved == errors.body == errors.published == 0.0
    assert errors.frozen > 0


def test_coordinates_are_those_of_the_fields(rom):
    shapes = rom.cables["rope"]
    z = np.linspace(-0.02, 0.03, shapes.count)
    assert coordinates(shapes, shapes.fields(z)) == pytest.approx(z, abs=1e-12)
    elements = elements_of(simulate(build(crane()), rom=rom, duration=0.1), "rope", 10)
    assert fields_in(shapes.frame, elements).shape == (len(elements), 3, 10)


def test_reach_of_a_shape_is_how_far_points_of_the_cable_move(rom):
    model, step = build_reduced(crane(), rom), 1e-6
    shapes = model.reduced["rope"].shapes

    def middles(z):
        fields = shapes.fields(z)
        u = fields[2][:, None] * directions_of(shapes, fields)
        return np.cumsum(u, axis=0) - 0.5 * u

    still = middles(np.zeros(shapes.count))
    moved = [np.linalg.norm(middles(step * unit) - still, axis=1).max() / step for unit in np.eye(shapes.count)]
    # the engine looks at the stations, of which there are fewer, and at the end
    assert shape_reaches(model, 0) == pytest.approx(moved, rel=0.2)


def test_file_keeps_everything(rom, tmp_path):
    rom.save(tmp_path / "crane.rom")
    kept = load_reduction(tmp_path / "crane.rom")
    assert kept.machine == rom.machine
    assert kept.notes["coordinates"] == rom.notes["coordinates"]
    assert np.array_equal(kept.cables["rope"].shapes, rom.cables["rope"].shapes)
    assert np.array_equal(kept.validity["rope"].high, rom.validity["rope"].high)


def test_other_machine_is_refused(rom):
    with pytest.raises(ResultError, match=r"made for another machine: bodies.load.mass is 90.0, and was 80.0"):
        simulate(build(crane("bodies.load.mass=90")), rom=rom)


def test_other_files_are_refused(tmp_path):
    (tmp_path / "some.rom").write_text("nothing")
    with pytest.raises(ResultError, match="is no reduced model"):
        load_reduction(tmp_path / "some.rom")
    with pytest.raises(ResultError, match="cannot be read"):
        load_reduction(tmp_path / "none.rom")


def test_nothing_to_reduce_is_said():
    with pytest.raises(ScenarioError, match="nothing can be reduced \\(rope: its length changes\\)"):
        reduce(library.load("gantry-crane"))


def test_training_may_not_change_the_machine():
    with pytest.raises(ScenarioError, match="not the machine"):
        reduce(crane("run.duration=0.1"), [crane("bodies.load.mass=90")])


def test_outside_of_training_is_said_and_the_full_model_takes_over(rom):
    model = build(crane(FAR))
    alone = simulate(model, rom=rom)
    assert any("leaves the range of its training" in event["what"] for event in alone.events)
    full, taken = simulate(model), simulate(model, rom=rom, rom_fallback=True)
    assert any("takes over" in event["what"] for event in taken.events)
    assert taken["rom_trust"].max() <= 1.0
    assert taken.time[-1] == full.time[-1]
    assert compare(full, taken).body < 0.2 * compare(full, alone).body + 1e-3
