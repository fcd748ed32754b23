"""Fits: numbers found from data of a machine that is known, intervals, what cannot be told, bad data."""

import numpy as np
import pytest

from taut.scenario.errors import ScenarioError
from taut.studies.fitting.fit import fit
from taut.studies.fitting.measured import Measured, read_measured
from taut.studies.fitting.predictions import read_parameters, write_prediction
from taut.verify.studies import fit_crane


@pytest.fixture(scope="module")
def clean():
    return fit_crane.true_columns()


@pytest.fixture(scope="module")
def noisy(clean):
    return fit_crane.trial(clean, 1)


def test_numbers_and_intervals(noisy):
    truth = np.array(list(fit_crane.TRUTH.values()))
    assert noisy.is_converged and noisy.audit == "pass" and not noisy.hidden
    assert np.all(np.abs(noisy.values - truth) < 4 * noisy.deviation)
    assert noisy.noise == pytest.approx(fit_crane.NOISE, rel=0.3)
    assert np.all(noisy.deviation < 0.02 * truth)


def test_band_contains_the_data(noisy, clean):
    noise = np.random.default_rng(99).standard_normal(clean.shape) * fit_crane.NOISE
    assert 0.88 < np.mean(np.abs(clean + noise - noisy.prediction) < noisy.band) < 1.0


def test_what_the_data_cannot_tell(clean):
    # the height alone tells stiffness and damping by mass
    data = Measured(fit_crane.TIME, fit_crane.COLUMNS[:1], clean[:, :1])
    found = fit(fit_crane.crane(0.9), dict.fromkeys(fit_crane.TRUTH), data)
    assert "axial_stiffness" in found.hidden[0] and "mass" in found.hidden[0]
    assert np.isnan(found.deviation).all()
    ratio = found.values[0] / found.values[2]
    assert ratio == pytest.approx(4e5 / 500, rel=1e-5)


def test_missing_cells_and_limits(clean):
    values = clean.copy()
    values[::2, 1] = np.nan
    names = {"bodies.load.mass": (400.0, 600.0)}
    found = fit(fit_crane.crane(), names, Measured(fit_crane.TIME, fit_crane.COLUMNS, values))
    assert found.values[0] == pytest.approx(500.0, rel=1e-6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("t,x\n0,1\n1,2\n", "header: time"),
        ("time,x\n0,1\n", "two rows"),
        ("time,x\n0,1\n0,2\n", "data.csv:3: times must"),
        ("time,x\n0,1\n1,a\n", "data.csv:3: has a cell that is no number"),
        ("time,x\n0,1\n1\n", "data.csv:3: has 1 cells"),
        ("time,x,x\n0,1,2\n1,1,2\n", "data.csv:1: has two columns x"),
        ("time,x,\n0,1,2\n1,1,2\n", "data.csv:1: has a column without a name"),
        ("time,x,y\n0,1,\n1,2,\n", "has no number in the column y"),
    ],
)
def test_bad_files(tmp_path, text, message):
    (tmp_path / "data.csv").write_text(text)
    with pytest.raises(ScenarioError, match=message):
        read_measured(tmp_path / "data.csv")


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("body_positio.load.z", "did you mean 'body_position'"),
        ("body_position.lod.z", "did you mean 'load'"),
        ("body_position.load", "a label for each of body, xyz"),
    ],
)
def test_columns_that_results_do_not_have(clean, column, message):
    with pytest.raises(ScenarioError, match=message):
        fit(fit_crane.crane(), {"bodies.load.mass": None}, Measured(fit_crane.TIME, (column,), clean[:, :1]))


@pytest.mark.parametrize(
    ("key", "guess"),
    [("bodies.load.mas", "'mass'"), ("bodies.lod.mass", "'load'"), ("cables.rop.axial_stiffness", "'rope'")],
)
def test_keys_that_are_not_there(clean, key, guess):
    with pytest.raises(ScenarioError, match=f"(?s)no number in the scenario.*did you mean {guess}.*LOW:HIGH"):
        fit(fit_crane.crane(), {key: None}, Measured(fit_crane.TIME, fit_crane.COLUMNS, clean))


def test_parameters_of_the_command_line(noisy, clean, tmp_path):
    assert read_parameters(["a.b", "c=1:2"]) == {"a.b": None, "c": (1.0, 2.0)}
    for texts, wrong in ((["a=2:1"], "KEY=LOW:HIGH"), (["a", "a=1:2"], "named twice")):
        with pytest.raises(ScenarioError, match=wrong):
            read_parameters(texts)
    file = write_prediction(noisy, Measured(fit_crane.TIME, fit_crane.COLUMNS, clean), tmp_path / "p.csv")
    assert len(file.read_text().splitlines()) == 61
