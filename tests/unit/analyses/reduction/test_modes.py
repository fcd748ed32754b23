"""Reduced Ritz cables: errors, file, and warnings outside of the training."""

import numpy as np
import pytest

from taut import library
from taut.analyses.reduction import compare, reduce
from taut.analyses.reduction.modes import static_shapes
from taut.build import build
from taut.build.cables.ritz_integrals import ritz_integrals
from taut.build.reduction.reduction import build_reduced, load_reduction
from taut.integrate.simulate import simulate
from taut.results.errors import ResultError

SHORT = ["run.duration=1", "defaults.cable.modes=16"]


def suspension(*settings):
    """The suspended platform, short."""
    return library.load("wang-suspension", [*SHORT, *settings])


@pytest.fixture(scope="module")
def rom():
    return reduce(suspension())


@pytest.fixture(scope="module")
def full():
    return simulate(build(suspension()))


def test_reduced_platform_does_what_the_full_one_does(rom, full):
    model = build(suspension())
    reduced = simulate(model, rom=rom)
    errors = compare(full, reduced)
    assert max(errors.moved, errors.body) < 5e-3
    assert reduced["rom_trust"].max() <= 1.0
    assert reduced["rom_residual"].max() == pytest.approx(rom.residual, rel=1e-6)
    assert reduced.audit["verdict"] == "pass"
    assert build_reduced(suspension(), rom).column_count < 0.6 * model.column_count
    assert reduced["cable_nodes"].shape == full["cable_nodes"].shape
    tension = "cable_tension_anchor"
    assert np.abs(reduced[tension] - full[tension]).max() < 0.02 * np.abs(full[tension]).max()


def test_as_many_shapes_as_modes_are_the_full_machine(full):
    same = simulate(build(suspension()), rom=reduce(suspension(), shapes=16))
    assert np.abs(same["body_position"] - full["body_position"]).max() < 1e-9


def test_file_keeps_everything(rom, tmp_path):
    rom.save(tmp_path / "wang.rom")
    kept = load_reduction(tmp_path / "wang.rom")
    assert np.array_equal(kept.cables["C1"].axial, rom.cables["C1"].axial)
    assert np.array_equal(kept.cables["C1"].lateral, rom.cables["C1"].lateral)
    assert kept.way == rom.way > 0.0
    with pytest.raises(ResultError, match="made for another machine"):
        simulate(build(suspension("defaults.cable.modes=17")), rom=rom)


def test_outside_of_training_the_full_model_takes_over(rom):
    model = build(suspension("signals.shake.amplitude=0.2"))
    alone = simulate(model, rom=rom)
    assert any("leaves the range of its training" in event["what"] for event in alone.events)
    true, taken = simulate(model), simulate(model, rom=rom, rom_fallback=True)
    assert any("takes over" in event["what"] for event in taken.events)
    assert taken["joint_position"].shape == true["joint_position"].shape
    assert compare(true, taken).body < compare(true, alone).body + 1e-6


def test_static_shapes_answer_a_force_at_the_end():
    found, integrals = static_shapes(30, 1.0, 0.0), ritz_integrals(30)
    # a rod under a force at its end: u = xi, of which thirty modes miss a little at the end
    assert found[0] @ integrals.E == pytest.approx(1.0, abs=0.02)
    assert found[1] @ integrals.E == pytest.approx(0.5, abs=1e-3)
