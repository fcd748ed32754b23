"""A real browser for the tests of the pages.

Without one on this machine the tests are skipped, and the summary says so; where TAUT_BROWSER names one, as in .ci/run,
its absence is a failure.
"""

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
]  # fmt: skip


def find_browser():
    """Path of a browser, or None."""
    wanted = os.environ.get("TAUT_BROWSER")
    if wanted:
        found = shutil.which(wanted)
        assert found, f"TAUT_BROWSER names {wanted!r}, which is not there"
        return found
    return next((path for path in map(shutil.which, NAMES) if path), None)


# not of the session: while playwright is open its event loop counts as running in this thread, and asyncio.run in
# tests that come later fails
@pytest.fixture(scope="module")
def browser():
    path = find_browser()
    if path is None:
        pytest.skip("NO BROWSER: install chromium, or name a browser with TAUT_BROWSER")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser):
    """A page that collects its own errors; a test that ends with any fails."""
    context = browser.new_context(viewport={"width": 900, "height": 480})
    opened = context.new_page()
    opened.set_default_timeout(120_000)
    errors, outside = [], []
    opened.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("request", lambda request: None if is_local(request.url) else outside.append(request.url))
    yield opened
    context.close()
    assert not errors and not outside


def is_local(url):
    return url.startswith(("data:", "blob:", "file:", "http://127.0.0.1:", "ws://127.0.0.1:"))
