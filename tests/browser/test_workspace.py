"""A workspace in a real browser: drawn around the machine, hidden by its switch; its report."""

import numpy as np
import pytest
from PIL import Image

from robot_machines import hall
from taut.results.result import Result
from taut.views.player import view_results
from taut.views.report.workspace import write_workspace_report

pytestmark = pytest.mark.browser
VISIBLE = """() => Object.entries(window.__viserMutable?.nodeRefFromName ?? {})
  .filter(([name, node]) => name.includes('/workspace/') && node).map(([name, node]) => node.visible)"""


@pytest.fixture
def player():
    data = hall().to_xarray()
    opened = view_results(Result(data), is_opened=False, workspace=data)
    opened.set_shadows(False)
    yield opened
    opened.close()


def picture(page, path):
    """The pixels in the middle of the scene as numbers."""
    page.wait_for_timeout(1500)
    page.screenshot(path=path)
    return np.asarray(Image.open(path).convert("RGB")).astype(int)[120:400, 100:560]


def test_it_is_drawn_and_can_be_hidden(page, player, tmp_path):
    page.goto(player.address)
    page.wait_for_selector(".taut-workspace")
    count = len(player.workspace.handles)
    page.wait_for_function(f"() => ({VISIBLE})().length === {count} && ({VISIBLE})().every(v => v)")
    shown = picture(page, tmp_path / "shown.png")
    page.locator("xpath=(//*[normalize-space(text())='workspace'])[1]/following::input[@type='checkbox'][1]").click()
    page.wait_for_function(f"() => ({VISIBLE})().every(v => !v)")
    hidden = picture(page, tmp_path / "hidden.png")
    changed = np.abs(shown - hidden).sum(axis=2) > 30
    assert changed.mean() > 0.05 and not player.workspace.shown.value


def test_the_report_opens_with_its_pictures(page, tmp_path):
    report = write_workspace_report(hall().to_xarray(), tmp_path / "report.html")
    page.context.set_offline(True)
    page.goto(report.as_uri())
    sizes = page.evaluate("[...document.images].map(i => [i.complete, i.naturalWidth])")
    assert len(sizes) == 5 and all(is_there and width > 200 for is_there, width in sizes)
    assert "m³" in page.inner_text("body")
