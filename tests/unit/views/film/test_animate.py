import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

from taut.results.errors import ResultError
from taut.views.film import FilmSettings, animate
from taut.views.film.animate import film_times
from taut.views.film.panels import Strip, film_panels
from taut.views.scene.colours import LIGHT
from unit.results.synthetic import synthetic_result

RESULT = synthetic_result(samples=61)
SMALL = {"width": 200, "height": 130, "has_plots": False}


def test_mp4_has_its_pictures_and_its_length(tmp_path):
    path = animate(RESULT, tmp_path / "film.mp4", FilmSettings(fps=5, speed=2.0, **SMALL))
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(path))
    assert (frames, seconds) == (15, pytest.approx(3.0, abs=0.1))
    assert [file.name for file in tmp_path.iterdir()] == ["film.mp4"]


def test_gif_moves(tmp_path):
    path = animate(RESULT, tmp_path / "film.gif", FilmSettings(fps=2, speed=2.0, **SMALL))
    with Image.open(path) as film:
        assert film.n_frames == 6
        first = np.asarray(film.convert("RGB"))
        film.seek(3)
        assert np.mean(np.any(first != np.asarray(film.convert("RGB")), axis=2)) > 0.01


def test_folder_of_pictures_with_plots_and_progress(tmp_path):
    told = []
    settings = FilmSettings(fps=1, speed=2.0, width=420, height=260, theme="dark", has_forces=True)
    folder = animate(RESULT, tmp_path / "new" / "frames", settings, lambda done, total: told.append((done, total)))
    assert [file.name for file in sorted(folder.iterdir())] == [f"frame-0000{k}.png" for k in (1, 2, 3)]
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert Image.open(folder / "frame-00002.png").size == (420, 260)


def test_cursor_moves_along_the_plots():
    strip = Strip(film_panels(RESULT), 260, 300, LIGHT)
    columns = [np.nonzero(np.all(strip.draw(t) == [215, 40, 60], axis=2))[1].mean() for t in (0.0, 3.0, 6.0)]
    assert columns[1] == pytest.approx(0.5 * (columns[0] + columns[2]), abs=1.5) and columns[2] - columns[0] > 100


def test_film_of_a_part():
    times = film_times(RESULT, FilmSettings(fps=10, start=1.0, end=2.0))
    assert (times[0], times[-1], len(times)) == (1.0, 2.0, 10)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"fps": 0}, "fps = 0"),
        ({"speed": -1}, "speed = -1"),
        ({"width": 20}, "width = 20"),
        ({"camera": "back"}, "camera = back: known: iso"),
        ({"theme": "grey"}, "theme = grey"),
        ({"start": 7.0}, "there is nothing"),
        ({"speed": 1e-4, "fps": 240}, "the film would have"),
    ],
)
def test_impossible_films_are_refused(tmp_path, settings, reason):
    with pytest.raises(ResultError, match=reason):
        animate(RESULT, tmp_path / "film.gif", FilmSettings(**settings))


@pytest.mark.parametrize(("name", "reason"), [("film.avi", "is no film"), ("none/film.mp4", "folder does not exist")])
def test_impossible_outputs_are_refused(tmp_path, name, reason):
    with pytest.raises(ResultError, match=reason):
        animate(RESULT, tmp_path / name, FilmSettings(fps=1, **SMALL))


def test_a_failure_leaves_no_file(tmp_path):
    def stop(done, total):
        raise KeyboardInterrupt

    for name in ("film.mp4", "film.gif"):
        with pytest.raises(KeyboardInterrupt):
            animate(RESULT, tmp_path / name, FilmSettings(fps=1, **SMALL), stop)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("width", [260, 460])
def test_legend_of_eight_cables_fits(width):
    from taut.views.plots.sheet import Curve, Panel

    x = np.array([0.0, 1.0])
    panel = Panel("tension at exit [N]", [Curve(f"cable {k}", x, k * x) for k in range(8)])
    picture = Strip([panel], width, 300, LIGHT).draw(0.0)
    assert np.all(picture[:, -2:] == picture[0, -1])  # nothing is cut off at the right edge
    top = picture[: 300 // 4, width // 5 :]
    assert np.any(top != picture[0, -1])  # the legend is there


def test_power_of_ten_stands_beside_the_unit():
    from taut.views.plots.sheet import Curve, Panel

    x = np.array([0.0, 1.0])
    strip = Strip([Panel("way [m]", [Curve(name, x, 1e-5 * k * x) for k, name in enumerate("xyz")])], 260, 200, LIGHT)
    assert "10^{" in strip.labels[0]
