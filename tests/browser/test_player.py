"""The player in a real browser."""

import pytest

from taut.views.player import view_results
from unit.results.synthetic import synthetic_result

pytestmark = pytest.mark.browser
RESULT = synthetic_result(samples=601)
RESULT.dataset.attrs["scenario"] = "platform: {mass: 0.5, box: [0.6, 0.8, 0.2]}"

# what the page's own 3D scene says of a node's place
PLACE = """name => { const nodes = window.__viserMutable?.nodeRefFromName ?? {};
  const key = Object.keys(nodes).find(k => k.endsWith(name));
  return key && nodes[key] ? nodes[key].position.toArray() : null; }"""


@pytest.fixture
def player():
    opened = view_results(RESULT, is_opened=False)
    opened.controls.shadows.value = False  # drawing is slow without a graphics card
    yield opened
    opened.close()


def place_is(page, expected):
    """Wait until the platform of the page's scene is there, to a tenth of a millimetre."""
    distance = "Math.hypot(...p.map((v, k) => v - want[k]))"
    test = f"want => {{ const p = ({PLACE})('/body/platform'); return p && {distance} < 1e-4; }}"
    page.wait_for_function(test, arg=[float(v) for v in expected])


def test_scrubbing_moves_the_platform_to_where_the_result_has_it(page, player):
    page.goto(player.address)
    page.wait_for_selector(".taut-readout")
    place_is(page, RESULT["platform_position"][0].values)
    # the field beside the slider takes a time as a person types it
    field = page.locator(
        "xpath=(//*[normalize-space(text())='t [s]'])[1]/following::input[@type='text' or @inputmode][1]"
    )
    field.fill("3.5")
    field.press("Enter")
    expected = RESULT["platform_position"].sel(time=3.5, method="nearest").values
    place_is(page, expected)
    x, y, z = expected
    page.wait_for_function("text => document.querySelector('.taut-readout').innerText.includes(text)",
                           arg=f"platform: {x:.4f}, {y:.4f}, {z:.4f} m")  # fmt: skip
    change_what_is_shown(page, player)


def change_what_is_shown(page, player):
    """Plots, forces and themes, in the page that is open already: opening one takes seconds without a graphics card."""
    assert page.locator(".u-title").first.inner_text() == "tension at exit [N]"
    player.controls.group.value = "energy"
    page.wait_for_function("() => document.querySelector('.u-title')?.innerText.includes('energy')")
    dark = "() => document.documentElement.dataset.mantineColorScheme === 'dark'"
    assert not page.evaluate(dark)
    player.controls.set_dark(True)
    page.wait_for_function(dark)
    player.set_forces(True)
    arrows = (
        "() => Object.entries(window.__viserMutable.nodeRefFromName).find(([k]) => k.endsWith('/forces'))?.[1]?.visible"
    )
    page.wait_for_function(arrows)


def test_two_clients_play_along_and_one_may_go(browser, page, player):
    other = browser.new_page(viewport={"width": 900, "height": 480})
    other.set_default_timeout(120_000)
    for client in (page, other):
        client.goto(player.address)
        client.wait_for_selector(".taut-readout")
    page.get_by_role("button", name="Play", exact=True).click()
    moved = "() => parseFloat(document.querySelector('.taut-readout').innerText.split('=')[1]) > 0.05"
    page.wait_for_function(moved)
    other.wait_for_function(moved)
    other.close()
    player.toggle()
    player.seek(2.0)
    place_is(page, RESULT["platform_position"].sel(time=2.0, method="nearest").values)
