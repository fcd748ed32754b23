"""What is around a machine in the page, whether it is played or live: light, floor, cameras."""

from typing import Any

import numpy as np

from taut.views.film.camera import camera_for
from taut.views.film.picture import round_step
from taut.views.scene.frames import Frame
from taut.views.scene.machine import Machine

# colours of the light from above and from below, and its strength
SKY, SOIL, SKY_LIGHT = (255, 255, 255), (150, 145, 140), 2.0
WINDOW = (620, 820)  # a usual size of the scene [pixels], for the first camera


def set_light(server: Any) -> None:
    """A light sky, no photograph of surroundings: that takes seconds to prepare without a graphics card."""
    server.scene.configure_environment_map(hdri=None)
    server.scene.add_light_hemisphere("/sky", sky_color=SKY, ground_color=SOIL, intensity=SKY_LIGHT)


def set_theme(gui: Any, is_dark: bool) -> None:
    """Set the light or dark theme of the page, and its colour."""
    gui.configure_theme(dark_mode=is_dark, show_logo=False, show_share_button=False, brand_color=(180, 86, 28))


def set_shadows(server: Any, is_wanted: bool) -> None:
    """Show or hide shadows; without a graphics card they cost half of the drawing."""
    server.scene.configure_default_lights(cast_shadow=is_wanted)


def make_floor(server: Any, machine: Machine) -> None:
    """A grid below the machine."""
    step = round_step(machine.size / 6.0)
    side = float(np.ceil(np.max(machine.high[:2] - machine.low[:2]) + 0.7 * machine.size))
    x, y = (step * np.round(machine.centre[:2] / step)).tolist()
    server.scene.add_grid(
        "/floor", side, side, position=(x, y, machine.ground - 1e-3 * machine.size), cell_size=step,
        section_size=5 * step,
    )  # fmt: skip


def set_first_camera(server: Any, machine: Machine) -> None:
    """Place the camera of a new client."""
    camera, first = camera_for(machine, *WINDOW), server.initial_camera
    first.position, first.look_at, first.up = camera.eye, camera.target, np.array([0.0, 0.0, 1.0])
    first.fov = float(camera.angle)
    first.near, first.far = 0.01 * machine.size, 200.0 * machine.size


def move_cameras(server: Any, machine: Machine, preset: str, *, near: Frame | None = None, client: Any = None) -> None:
    """Move the camera of a client, or of all, to a preset; ``near``: close to the machine at that moment."""
    camera = camera_for(machine, *WINDOW, preset, near)
    for viewer in [client] if client is not None else server.get_clients().values():
        with viewer.atomic():
            viewer.camera.up_direction = (0.0, 0.0, 1.0)
            viewer.camera.position, viewer.camera.look_at = camera.eye, camera.target
            viewer.camera.fov = float(camera.angle)


def is_alike(one: Machine, other: Machine) -> bool:
    """Whether one camera serves both machines."""
    apart = np.linalg.norm(one.centre - other.centre)
    return bool(abs(one.size - other.size) < 0.3 * one.size and apart < 0.3 * one.size)
