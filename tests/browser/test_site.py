"""The documentation as a reader opens it: from disk, without the network, also on a phone."""

import os
import subprocess
import sys

import pytest

from house.sources import ROOT

PAGES = ("index", "gallery", "tutorials/robot", "usage/keys", "reference/commands", "reference/python", "comparison")
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the built site."""
    pytest.importorskip("mkdocs", reason="NO MKDOCS: pip install 'taut[docs]'")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    return folder


def test_search_finds_a_page(site, page):
    page.set_viewport_size({"width": 1200, "height": 800})
    page.goto((site / "index.html").as_uri())
    page.click("input[name=query]")
    page.keyboard.type("pretension")
    page.wait_for_selector(".md-search-result__item h1")
    assert "Keys of a scenario" in page.inner_text(".md-search-result__list")


def test_code_is_highlighted(site, page):
    page.goto((site / "tutorials/robot.html").as_uri())
    assert page.locator(".highlight .kn").count() and page.locator(".highlight .nt").count()


@pytest.mark.parametrize("name", PAGES)
def test_page_is_no_wider_than_a_phone(site, page, name):
    page.set_viewport_size({"width": 400, "height": 800})
    page.goto((site / f"{name}.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert page.evaluate("[...document.images].every(image => image.complete && image.naturalWidth)")
