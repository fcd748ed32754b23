"""A served machine, live in a real browser."""

import numpy as np
import pytest

from serving import serving
from taut.loop import Plant
from taut.loop.serve import Client, Session
from taut.loop.serve.watch import Watch

pytestmark = pytest.mark.browser
SEEN = ["x", "load.position.x"]

# what the page's own 3D scene says of a node's place
PLACE = """name => { const nodes = window.__viserMutable?.nodeRefFromName ?? {};
  const key = Object.keys(nodes).find(k => k.endsWith(name) && nodes[k]);  // removed ones are null
  return key ? nodes[key].position.toArray() : null; }"""


@pytest.fixture
def served():
    """A crane in lock-step, and the page that shows it."""
    session = Session(Plant("crane-2d", period=0.05, observations=SEEN), lock_step=True)
    watch = Watch(session)
    watch.page.shadows.value = False  # drawing is slow without a graphics card
    with serving(session, watch=watch) as server, Client(server.port) as client:
        yield session, watch, client
    watch.close()


def load_is_at(page, place):
    """Wait until the load of the page's scene is there, to a tenth of a millimetre."""
    distance = "Math.hypot(...p.map((v, k) => v - want[k]))"
    test = f"want => {{ const p = ({PLACE})('/body/load'); return p && {distance} < 1e-4; }}"
    page.wait_for_function(test, arg=[float(v) for v in place])


def place_of(session):
    """Where the load's frame is, by the engine."""
    names = list(session.plant.stepper.model.names.bodies)
    return session.plant.stepper.read("body_position")[names.index("load")]


def test_the_page_shows_the_machine_where_it_is_now(page, served):
    session, watch, client = served
    page.goto(watch.address)
    page.wait_for_selector(".taut-words")
    load_is_at(page, place_of(session))
    start = place_of(session)[0]
    # far enough that rails and floor are made anew
    for _ in range(16):
        client.ask(command={"push": 500.0}, step=3)
    moved = place_of(session)
    assert moved[0] > start + 5.0
    load_is_at(page, moved)
    page.wait_for_function("text => document.querySelector('.taut-readout').innerText.includes(text)",
                           arg=f"t = {session.plant.time:.4f} s")  # fmt: skip
    assert "lock-step" in page.locator(".taut-words").inner_text()
    assert page.locator(".u-title").all_inner_texts() == ["measured [m]", "command [N]"]
    watch.page.strips.draw()
    x = np.array([row[0] for _, row in watch.page.strips.rows])
    assert x[-1] == session.seen[0]
    client.ask(reset=True)
    load_is_at(page, place_of(session))


def test_numbers_that_change_the_machine_change_the_picture(page, served):
    session, watch, client = served
    page.goto(watch.address)
    page.wait_for_selector(".taut-words")
    load_is_at(page, place_of(session))
    client.ask(reset=True, changes={"crane.links.load.length": 2.0})
    load_is_at(page, place_of(session))


def test_watching_changes_nothing(page, served):
    session, watch, client = served
    page.goto(watch.address)
    page.wait_for_selector(".taut-words")
    alone = Plant("crane-2d", period=0.05, observations=SEEN)
    for k in range(40):
        answer = client.ask(command=[10.0 * k], step=1)
        assert answer["observations"] == alone.step([10.0 * k]).tolist()
