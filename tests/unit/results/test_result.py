import pickle

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from taut.results.errors import ResultError
from taut.results.result import Result, euler_angles, open_result
from unit.results.synthetic import SCENARIO, synthetic_result

RESULT = synthetic_result(samples=61)


def test_channels_are_found_by_name():
    assert RESULT["cable_tension"].sel(cable="C1").dims == ("time", "element")
    assert "cable_tension" in RESULT and "tension" not in RESULT
    assert "cable_tension" in list(RESULT)


def test_near_miss_gets_a_suggestion():
    with pytest.raises(KeyError, match="did you mean cable_tension"):
        RESULT["cable_tensoin"]


def test_a_word_of_a_name_is_enough():
    with pytest.raises(KeyError, match="did you mean cable_tension"):
        RESULT["tension"]


def test_a_machine_without_cables_says_so():
    without = Result(RESULT.dataset.drop_vars([name for name in RESULT if name.startswith("cable_")]))
    with pytest.raises(KeyError, match="this machine has no cables"):
        without["tension"]


def test_a_missing_file_is_told_in_one_traceback(tmp_path):
    with pytest.raises(ResultError) as caught:
        open_result(tmp_path / "none.nc")
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


def test_it_knows_what_it_came_from():
    assert RESULT.scenario_text == SCENARIO
    assert RESULT.status == "completed" and RESULT.audit["verdict"] == "pass"
    attrs = RESULT.dataset.attrs
    assert attrs["quaternion_order"] == "wxyz" and "quaternions (w, x, y, z)" in attrs["conventions"]
    assert all(attrs[f"{name}_version"][0].isdigit() for name in ("taut", "numpy", "numba", "python"))


def test_representation_is_short_and_says_what_is_inside():
    text = repr(RESULT)
    assert len(text.splitlines()) <= 5 and max(map(len, text.splitlines())) <= 120
    assert all(word in text for word in ("synthetic", "completed", "61 samples", "4 cables", "audit: pass"))


def test_representation_of_a_failed_run_gives_the_reason():
    assert "audit: fail; the run did not complete" in repr(synthetic_result(samples=3, status="diverged"))


@pytest.mark.parametrize("sequence", ["xyz", "zyx", "zyz"])
def test_euler_angles_are_intrinsic(sequence):
    angles = RESULT.euler("platform", sequence)
    again = Rotation.from_euler(sequence.upper(), angles.values).as_quat()[:, [3, 0, 1, 2]]
    quaternion = RESULT["platform_quaternion"].values
    signs = np.sign(np.sum(again * quaternion, axis=1, keepdims=True))
    np.testing.assert_allclose(signs * again, quaternion, atol=1e-12)
    assert angles.attrs["units"] == "rad" and len(set(angles["angle"].values)) == 3


def test_euler_angles_have_no_jumps():
    yaw = np.linspace(0.0, 10.0, 101)
    quaternions = np.stack([np.cos(yaw / 2), 0 * yaw, 0 * yaw, np.sin(yaw / 2)], axis=1)
    np.testing.assert_allclose(euler_angles(quaternions, "xyz")[:, 2], yaw, atol=1e-12)


def test_euler_angles_of_values_that_are_not_finite_are_nan():
    quaternions = np.array([[1.0, 0.0, 0.0, 0.0], [np.nan, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    angles = euler_angles(quaternions, "xyz")
    assert np.all(angles[0] == 0.0) and np.isnan(angles[1:]).all()
    assert np.isnan(euler_angles(quaternions[1:], "xyz")).all()


@pytest.mark.parametrize(("body", "sequence"), [("crate", "xyz"), ("platform", "xxy"), ("platform", "abc")])
def test_impossible_euler_angles_are_refused(body, sequence):
    with pytest.raises(ResultError):
        RESULT.euler(body, sequence)


def test_errors_survive_pickling():
    error = pickle.loads(pickle.dumps(ResultError("run.nc", "is a folder", "give a file")))
    assert (error.path, error.reason, error.remedy) == ("run.nc", "is a folder", "give a file")
    assert str(error) == "run.nc: is a folder\n  give a file"
