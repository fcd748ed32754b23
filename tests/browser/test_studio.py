"""The studio in a real browser: mistakes are told, Run makes a result, files are written."""

import pytest

from taut import library, open_result
from taut.scenario import load
from taut.studio import open_studio

pytestmark = [pytest.mark.browser, pytest.mark.slow]
ROBOT = library.path("mamidi-pick-and-place")


@pytest.fixture
def studio(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    opened = open_studio(lambda settings: load(ROBOT, [*settings, "run.save_every=0.05"]), "robot", is_opened=False)
    opened.player.controls.shadows.value = False  # drawing is slow without a graphics card
    yield opened
    opened.close()


def field(page, label):
    return page.locator(f"xpath=(//*[normalize-space(text())='{label}'])[1]/following::input[1]")


def says(page, text):
    page.wait_for_function("text => document.querySelector('.taut-message')?.innerText.includes(text)", arg=text)


def test_a_mistake_is_told_and_a_run_gives_a_result(page, studio, tmp_path):
    page.goto(studio.player.address)
    says(page, "press Run")
    field(page, "mass [kg]").fill("-1")
    page.get_by_role("button", name="Run", exact=True).click()
    says(page, "platform.mass = -1: must not be less than 0 [kg]")
    assert studio.result is None
    field(page, "mass [kg]").fill("0.8")
    field(page, "duration [s]").fill("0.5")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector(".taut-audit")
    says(page, "completed, 0.5 s simulated")
    assert "audit: pass" in page.inner_text(".taut-audit")
    assert studio.result.time[-1] == 0.5 and "mass: 0.8" in studio.result.scenario_text
    studio.save_result("mine")
    says(page, "wrote")
    assert open_result(tmp_path / "mine.nc").title == studio.result.title
    studio.save_scenario("mine.yaml")
    assert load(tmp_path / "mine.yaml").platform.mass == 0.8
    studio.save_result("../elsewhere.nc")
    says(page, "must be a plain file name")
    compare_with_another(page, studio)
    cancel_a_long_one(page, studio)


def compare_with_another(page, studio):
    """A second run, and the one before as a ghost beside it."""
    before = studio.result
    field(page, "mass [kg]").fill("0.4")
    page.get_by_role("button", name="Run", exact=True).click()
    while studio.result is before:  # the message is that of the first run until the second ends
        page.wait_for_timeout(50)
    says(page, "completed, 0.5 s simulated")
    page.get_by_label("compare").check()
    nodes = "Object.entries(window.__viserMutable.nodeRefFromName)"  # removed nodes are empty
    page.wait_for_function(
        f"() => {nodes}.filter(([name, node]) => node && name.endsWith('/body/platform')).length === 2"
    )
    assert studio.before is before and [stage.is_ghost for stage in studio.player.stages] == [False, True]
    assert page.locator(".u-legend").first.inner_text().count("(2)") == 4


def cancel_a_long_one(page, studio):
    """Cancel a long run: what was shown stays."""
    kept = studio.result
    field(page, "duration [s]").fill("3000")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("button", name="Cancel", exact=True).click()
    says(page, "the run was cancelled")
    assert studio.result is kept
    page.get_by_role("button", name="Run", exact=True).wait_for()
