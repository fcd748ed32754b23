import numpy as np
import pytest

from taut.views.scene import frames
from taut.views.scene.frames import Frames
from unit.results.synthetic import synthetic_result

RESULT = synthetic_result(samples=61)


def test_a_sample_is_that_of_the_result():
    frame = Frames(RESULT).sample(17)
    np.testing.assert_array_equal(frame.position, RESULT["body_position"][17])
    np.testing.assert_array_equal(frame.nodes, RESULT["cable_nodes"][17])
    assert frame.time == RESULT.time[17] and frame.is_slack.dtype == bool


def test_between_samples_everything_is_in_between():
    all_frames = Frames(RESULT)
    one, two = all_frames.sample(30), all_frames.sample(31)
    frame = all_frames.at(0.25 * one.time + 0.75 * two.time)
    np.testing.assert_allclose(frame.position, 0.25 * one.position + 0.75 * two.position, atol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(frame.quaternion, axis=1), 1.0)


@pytest.mark.parametrize(("time", "index"), [(-1.0, 0), (0.0, 0), (6.0, 60), (9.0, 60)])
def test_outside_the_ends_stay(time, index):
    assert Frames(RESULT).at(time).time == RESULT.time[index]


def test_reading_in_blocks_gives_the_same(monkeypatch):
    whole = Frames(RESULT)
    monkeypatch.setattr(frames, "WHOLE_BYTES", 15_000)
    monkeypatch.setattr(frames, "BLOCK_BYTES", 15_000)
    blocks = Frames(RESULT)
    assert blocks._rows < 20
    for index in (0, 59, 3, 31, 60):
        np.testing.assert_array_equal(blocks.sample(index).nodes, whole.sample(index).nodes)
    assert len(blocks._blocks) <= frames.KEPT
    assert [frame.time for frame in blocks.spread(4)] == [frame.time for frame in whole.spread(4)]


def test_a_result_without_cables_has_empty_ones():
    bare = synthetic_result(samples=5)
    bare.dataset = bare.dataset.drop_dims(["cable"])
    frame = Frames(bare).at(1.0)
    assert len(frame.nodes) == 0 and frame.position.shape == (1, 3)
