import matplotlib.image
import numpy as np
import pytest

from taut.results.channels import assemble
from taut.results.errors import ResultError
from taut.results.result import Result
from taut.views.plots import ALL_FORMATS, plot_result
from taut.views.plots.constraint import constraint_sheets
from taut.views.plots.draw import draw_sheets
from taut.views.plots.motion import motion_sheets
from taut.views.plots.sheet import Curve, Panel, Sheet
from taut.views.plots.style import STYLES, line_style
from unit.results.synthetic import synthetic_result

RESULT = synthetic_result(samples=61)
TIME = np.linspace(0.0, 1.0, 5)


def is_picture(path):
    """Whether a picture has something on it."""
    return np.mean(matplotlib.image.imread(path)[..., :3] < 0.9) > 0.005


def test_all_figures_are_drawn(tmp_path):
    paths = plot_result(RESULT, folder=tmp_path / "new" / "figures")
    names = "motion deviation velocity acceleration tension element-tension slack anchor-force exit-force constraint"
    assert [path.stem for path in paths] == [*names.split(), "energy", "step"]
    assert all(path.stat().st_size > 10_000 and is_picture(path) for path in paths)


@pytest.mark.parametrize("suffix", ALL_FORMATS)
def test_formats(tmp_path, suffix):
    (path,) = plot_result(RESULT, ["tension"], tmp_path, [suffix])
    assert path.name == f"tension.{suffix}" and path.stat().st_size > 5_000


@pytest.mark.parametrize("style", STYLES)
def test_styles_have_their_sizes(tmp_path, style):
    (path,) = plot_result(RESULT, ["tension"], tmp_path, ["png"], style=style)
    rows, columns, _ = matplotlib.image.imread(path).shape
    look = STYLES[style]
    expected = (look.panel_width + look.legend_width) * look.settings["savefig.dpi"]
    assert is_picture(path) and columns == pytest.approx(expected, rel=0.02) and rows > 0.4 * columns


@pytest.mark.parametrize("suffix", ALL_FORMATS)
def test_equal_results_give_equal_files(tmp_path, suffix):
    one, two = (plot_result(RESULT, ["step"], tmp_path / name, [suffix])[0].read_bytes() for name in "ab")
    assert one == two


def test_results_stand_side_by_side_with_common_axes():
    other = synthetic_result(samples=31)
    figure = draw_sheets([motion_sheets(RESULT)[0], motion_sheets(other)[0]], ["fine", "coarse"])
    axes = figure.axes
    assert [axis.get_title() for axis in axes[:2]] == ["fine", "coarse"]
    assert axes[0].get_ylim() == axes[1].get_ylim()
    assert axes[0].get_ylabel() == "displacement [m]" and axes[-1].get_xlabel() == "time [s]"


@pytest.mark.parametrize("results", [[RESULT, RESULT], {"a": RESULT, "b": RESULT}])
def test_several_results_are_taken_as_list_or_mapping(tmp_path, results):
    (path,) = plot_result(results, ["motion"], tmp_path)
    (alone,) = plot_result(RESULT, ["motion"], tmp_path / "alone")
    assert matplotlib.image.imread(path).shape[1] > matplotlib.image.imread(alone).shape[1]


def test_result_that_lacks_a_figure_leaves_its_column_empty(tmp_path):
    bare = Result(assemble({"constraint_error": np.ones(5)}, {"time": TIME}, {}))
    assert is_picture(plot_result([RESULT, bare], ["motion"], tmp_path)[0])


def test_legend_covers_no_curve():
    figure = draw_sheets(motion_sheets(RESULT), [""])
    figure.canvas.draw()
    axis = figure.axes[0]
    legend = axis.get_legend()
    assert legend is not None
    assert legend.get_window_extent().x0 > axis.get_window_extent().x1


def test_equal_legends_are_shown_once_and_one_curve_has_none():
    curves = [Curve(name, TIME, TIME) for name in "ab"]
    panels = [Panel("one [m]", curves), Panel("two [m]", curves), Panel("three [m]", curves[:1])]
    figure = draw_sheets([Sheet("s", "S", panels)], [""])
    assert [axis.get_legend() is not None for axis in figure.axes] == [True, False, False]


def test_rounding_does_not_look_like_motion():
    panel = Panel("x [m]", [Curve("x", TIME, 1e-15 * np.sin(9 * TIME))], smallest_span=1e-6)
    low, high = draw_sheets([Sheet("s", "S", [panel])], [""]).axes[0].get_ylim()
    assert high - low == pytest.approx(1e-6)


@pytest.mark.parametrize("values", [np.zeros(5), np.full(5, np.nan), np.array([0.0, 1e-9, np.inf, 1e-12, np.nan])])
def test_odd_values_can_be_drawn(tmp_path, values):
    arrays = {"constraint_error": values, "closure_error": values[:, None]}
    result = Result(assemble(arrays, {"time": TIME, "closure": ["loop"]}, {}))
    assert is_picture(plot_result(result, ["constraint"], tmp_path)[0])


def test_many_cables_keep_apart():
    styles = {str(line_style(k)) for k in range(28)}
    assert len(styles) == 28


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((["tensions"],), "there is no group 'tensions'"),
        ((["tension"], ".", ["gif"]), "there is no format 'gif'"),
        ((["length"],), "nothing to draw for 'length'"),
    ],
)
def test_impossible_wishes_are_refused(arguments, reason):
    with pytest.raises(ResultError, match=reason):
        plot_result(RESULT, *arguments)


def test_unknown_style_is_refused():
    with pytest.raises(ResultError, match="there is no style 'poster'"):
        plot_result(RESULT, ["tension"], style="poster")


def test_impossible_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ResultError, match="cannot be written"):
        plot_result(RESULT, ["step"], tmp_path / "file")


def test_machine_without_loops_has_no_figure_of_constraints():
    names = ("constraint_error", "constraint_error_velocity")
    result = synthetic_result(samples=5, **{name: np.zeros(5) for name in names})
    bare = Result(result.dataset.drop_vars(("closure_error", "closure_error_velocity")))
    assert constraint_sheets(result) and not constraint_sheets(bare)
