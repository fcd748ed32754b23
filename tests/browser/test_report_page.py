"""The report in a real browser, from the disk and without a network."""

import numpy as np
import pytest

from taut.views.report import write_report
from unit.results.synthetic import synthetic_result

pytestmark = pytest.mark.browser
RESULT = synthetic_result(samples=301)
RESULT.dataset.attrs["scenario"] = "platform: {mass: 0.5, box: [0.6, 0.8, 0.2]}"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return write_report(RESULT, tmp_path_factory.mktemp("report") / "report.html")


def test_report_opens_offline_with_its_figures(page, report):
    page.context.set_offline(True)
    page.goto(report.as_uri())
    sizes = page.evaluate("[...document.images].map(i => [i.complete, i.naturalWidth])")
    assert len(sizes) == 14 and all(is_there and width > 200 for is_there, width in sizes)
    assert "audit: pass" in page.inner_text("h1")


def test_player_and_figures_follow_one_time(page, report):
    page.goto(report.as_uri())
    page.evaluate("tautPlayer.time = 3.5")
    expected = RESULT["platform_position"].sel(time=3.5, method="nearest").values
    np.testing.assert_allclose(page.evaluate("tautPlayer.position()"), expected, atol=1e-3)
    cursor = page.locator("#figure-motion .cursor")
    left = cursor.evaluate("c => (parseFloat(c.style.left) / 100 - c.dataset.left) / c.dataset.width")
    assert left == pytest.approx(3.5 / 6.0, abs=1e-4)
    figure = page.locator("#figure-tension")
    figure.scroll_into_view_if_needed()
    box = figure.bounding_box()
    share = figure.locator(".cursor").evaluate("c => +c.dataset.left + 0.25 * c.dataset.width")
    figure.click(position={"x": share * box["width"], "y": box["height"] / 3})
    assert page.evaluate("tautPlayer.time") == pytest.approx(1.5, abs=0.05)


def test_the_machine_is_drawn_and_moves(page, report):
    page.goto(report.as_uri())
    pictures = []
    for time in (0.0, 3.0):
        page.evaluate(f"tautPlayer.time = {time}")
        pictures.append(orange_rows(page.locator("#player canvas").screenshot()))
    assert pictures[1] < pictures[0] - 30  # the platform is lifted: it is higher in the picture


@pytest.mark.parametrize("preset", ["iso", "front", "side", "top"])
def test_the_whole_path_is_in_sight(page, report, preset):
    page.goto(report.as_uri())
    page.locator(f"#player [data-look={preset}]").click()
    for time in np.linspace(0.0, 6.0, 7):
        page.evaluate(f"tautPlayer.time = {time}")
        is_body = orange(page.locator("#player canvas").screenshot())
        assert is_body.any()
        border = [is_body[:2], is_body[-2:], is_body[:, :2].T, is_body[:, -2:].T]
        assert not any(edge.any() for edge in border)


def orange_rows(png):
    """Mean row of the pixels in the platform's colour."""
    return np.nonzero(orange(png))[0].mean()


def orange(png):
    """Which pixels have the platform's colour."""
    from io import BytesIO

    from PIL import Image

    red, green, blue = np.moveaxis(np.asarray(Image.open(BytesIO(png)).convert("RGB")).astype(int), -1, 0)
    return (red > 1.25 * green) & (green > 1.25 * blue) & (red > 90)
