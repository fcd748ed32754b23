import numpy as np
import pytest

from taut.results.errors import ResultError
from taut.views.film.camera import PRESETS, camera_for
from taut.views.film.picture import Painter, round_step
from taut.views.film.raster import fill, shrink
from taut.views.scene.colours import DARK
from taut.views.scene.machine import read_machine
from unit.results.synthetic import synthetic_result

BOX = "platform: {mass: 0.5, box: [0.6, 0.8, 0.2]}"
RESULT = synthetic_result(samples=61)
RESULT.dataset.attrs["scenario"] = BOX
MACHINE = read_machine(RESULT)
CORNERS = (
    np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * (MACHINE.high - MACHINE.low) + MACHINE.low
)


def slow_fill(corners, colours, image, nearness):
    """Fill triangles by numpy, pixel by pixel: half-planes, and the plane of the inverse depth."""
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]] + 0.5
    for (a, b, c), colour in zip(corners, colours, strict=True):
        shares = np.linalg.solve(np.stack([[*p[:2], 1.0] for p in (a, b, c)], axis=1),
                                 np.stack([columns.ravel(), rows.ravel(), np.ones(rows.size)]))  # fmt: skip
        w = (shares.T @ [a[2], b[2], c[2]]).reshape(rows.shape)
        is_nearer = (shares.min(axis=0) >= 0.0).reshape(rows.shape) & (w > nearness)
        nearness[is_nearer], image[is_nearer] = w[is_nearer], colour


def test_triangles_are_those_of_the_slow_way():
    rng = np.random.default_rng(1)
    corners = np.concatenate([rng.uniform(-5, 45, (30, 3, 2)), rng.uniform(0.1, 1.0, (30, 3, 1))], axis=2)
    colours = rng.integers(0, 255, (30, 3)).astype(np.uint8)
    pictures = [np.zeros((32, 40, 3), np.uint8) for _ in range(2)]
    fill(corners, colours, pictures[0], np.zeros((32, 40)))
    slow_fill(corners, colours, pictures[1], np.zeros((32, 40)))
    assert np.mean(np.any(pictures[0] != pictures[1], axis=2)) < 0.002  # pixels whose centre lies on an edge


@pytest.mark.parametrize("by", [2, 3])
def test_shrink_averages(by):
    image = np.random.default_rng(by).integers(0, 256, (4 * by, 5 * by, 3), dtype=np.uint8)
    out = np.zeros((4, 5, 3), np.uint8)
    shrink(image, by, out)
    np.testing.assert_allclose(out, image.reshape(4, by, 5, by, 3).mean(axis=(1, 3)), atol=0.51)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_camera_sees_the_whole_motion(preset):
    camera = camera_for(MACHINE, 320, 200, preset)
    seen = camera.project(CORNERS)
    assert np.all(seen[:, :2] >= 0.0) and np.all(seen[:, :2] <= [320, 200])
    np.testing.assert_allclose(camera.project(camera.target)[:2], [160, 100], atol=1e-9)
    assert max(np.ptp(seen[:, 0]) / 320, np.ptp(seen[:, 1]) / 200) > 0.5


def test_unknown_camera_is_refused():
    with pytest.raises(ResultError, match="there is no camera 'back'"):
        camera_for(MACHINE, 320, 200, "back")


def orange_place(image):
    """Middle of the pixels of the platform's colour: across and down."""
    red, green, blue = np.moveaxis(image.astype(int), -1, 0)
    rows, columns = np.nonzero((red > 1.25 * green) & (green > 1.25 * blue) & (red > 90))
    return np.array([columns.mean(), rows.mean()])


@pytest.mark.parametrize("time", [0.0, 2.0, 3.0, 6.0])
def test_the_platform_is_drawn_where_it_is(time):
    camera = camera_for(MACHINE, 400, 300)
    frame = MACHINE.frames.at(time)
    painter = Painter(MACHINE, camera)
    expected = camera.project(frame.position[0])[:2]
    assert np.linalg.norm(orange_place(painter.draw(frame)) - expected) < 8.0


def test_slack_cables_and_the_theme_are_seen():
    painter = Painter(MACHINE, camera_for(MACHINE, 640, 480), DARK)
    is_magenta = [np.sum((p[..., 0] > 1.8 * p[..., 1]) & (p[..., 2] > 1.2 * p[..., 1])) for p in
                  (painter.draw(MACHINE.frames.sample(k)).astype(int) for k in (0, 30))]  # fmt: skip
    assert is_magenta[0] > 20 and is_magenta[1] == 0
    assert painter.draw(MACHINE.frames.sample(0))[0, 0].max() < 40


def test_round_steps():
    assert [round_step(x) for x in (0.013, 0.2, 0.7, 5.0, 99.0)] == pytest.approx([0.01, 0.2, 0.5, 5.0, 50.0])
