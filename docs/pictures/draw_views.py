"""Pictures of the browser view, the studio, the report and a film, as a reader would see them.

Needs `taut[view]`, playwright and a Chromium: python docs/pictures/draw_views.py [chromium]
"""

import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import taut
from taut import library
from taut.scenario import load
from taut.studio import open_studio
from taut.views.film import FilmSettings, animate
from taut.views.player import view_results
from taut.views.report import write_report

HERE = Path(__file__).resolve().parent
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
SIZE = {"width": 1280, "height": 760}


def main() -> None:
    """Run the machines and take their pictures."""
    names = ("mamidi-pick-and-place", "mamidi-quadcopter-failure", "crane-3d", "winch-robot-circle")
    results = {name: run(name) for name in names}
    wanted = sys.argv[1] if len(sys.argv) > 1 else "chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which(wanted), args=FLAGS)
        page = browser.new_page(viewport=SIZE)
        take_player(page, results["mamidi-pick-and-place"], 2.4, "view-pick-and-place.png")
        take_player(page, results["mamidi-quadcopter-failure"], 3.6, "view-quadcopters.png", "here light")
        take_player(page, results["crane-3d"], 9.0, "view-crane.png", "iso dark")
        take_player(page, results["winch-robot-circle"], 4.0, "view-winches.png")
        take_studio(page, "studio.png")
        take_report(page, results["mamidi-pick-and-place"], "report.png")
        browser.close()
    take_film(results["mamidi-pick-and-place"], "film.png")


def run(name: str) -> taut.Result:
    return taut.simulate(taut.build(library.load(name)))


def save(page, name: str) -> None:
    """Keep a screenshot with few colours, which a page of the documentation loads quickly."""
    page.wait_for_timeout(2500)
    # close the note that browsers without a graphics card show
    for close in page.locator(".mantine-Notification-closeButton").all():
        close.click()
    page.wait_for_timeout(1500)
    page.screenshot(path=HERE / name)
    Image.open(HERE / name).convert("RGB").quantize(192, dither=Image.Dither.NONE).save(HERE / name, optimize=True)


def take_player(page, result: taut.Result, time: float, name: str, look: str = "iso light") -> None:
    camera, theme = look.split()
    player = view_results(result, is_opened=False, is_dark=theme == "dark")
    page.goto(player.address)
    page.wait_for_selector(".taut-readout")
    player.controls.forces.value = bool(player.machine.frames.cables)
    page.wait_for_timeout(1500)
    player.seek(time)
    page.wait_for_function("text => document.querySelector('.taut-readout').innerText.includes(text)",
                           arg=f"t = {time:.4f} s")  # fmt: skip
    player.look(camera)
    save(page, name)
    player.close()


def take_studio(page, name: str) -> None:
    path = library.path("mamidi-pick-and-place")
    studio = open_studio(lambda settings: load(path, settings), "robot", is_opened=False)
    page.goto(studio.player.address)
    page.wait_for_selector(".taut-message")
    for mass in ("0.5", "0.9"):
        page.locator("xpath=(//*[normalize-space(text())='mass [kg]'])[1]/following::input[1]").fill(mass)
        page.get_by_role("button", name="Run", exact=True).click()
        page.wait_for_function("() => document.querySelector('.taut-message')?.innerText.includes('simulated')")
        page.wait_for_timeout(500)
    studio.panel.is_compared.value = True
    studio.player.seek(3.3)
    save(page, name)
    studio.close()


def take_report(page, result: taut.Result, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = write_report(result, Path(folder) / "report.html")
        page.set_viewport_size({"width": 1080, "height": 1060})
        page.goto(report.as_uri())
        page.evaluate("tautPlayer.time = 2.4")
        save(page, name)


def take_film(result: taut.Result, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = FilmSettings(fps=1.0, start=2.4, end=3.4, has_forces=True, width=1100, height=620)
        pictures = animate(result, Path(folder) / "frames", settings)
        picture = Image.open(pictures / "frame-00001.png").convert("RGB")
    picture.quantize(192, dither=Image.Dither.NONE).save(HERE / name, optimize=True)


if __name__ == "__main__":
    main()
