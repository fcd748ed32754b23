"""Where the eye is, and where a point of the world appears in the picture."""

from dataclasses import dataclass

import numpy as np

from taut.results.errors import ResultError
from taut.views.scene.frames import Frame
from taut.views.scene.machine import Machine

# named views, by the direction from the machine to the eye
PRESETS = {
    "iso": (-0.62, -1.0, 0.42),
    "front": (0.0, -1.0, 0.0),
    "side": (1.0, 0.0, 0.0),
    "top": (0.0, -1e-3, 1.0),
}
NEAREST = 1e-3  # points closer to the eye are not drawn, relative to the distance of the camera's target
MARGIN = 1.22


@dataclass(frozen=True)
class Camera:
    """An eye that sees in perspective."""

    eye: np.ndarray  # position of the eye [m]
    target: np.ndarray  # point in the middle of the picture [m]
    angle: float  # vertical angle of view [rad]
    width: int  # width of the picture [pixels]
    height: int

    def axes(self) -> np.ndarray:
        """Unit vectors to the right, down and forward, as rows."""
        forward = self.target - self.eye
        forward = forward / np.linalg.norm(forward)
        right = np.cross(forward, [0.0, 0.0, 1.0])
        if np.linalg.norm(right) < 1e-9:
            right = np.array([1.0, 0.0, 0.0])
        right = right / np.linalg.norm(right)
        return np.stack([right, np.cross(forward, right), forward])

    def project(self, points: np.ndarray) -> np.ndarray:
        """Across and down [pixels] and inverse depth [1/m], shape [..., 3]; NaN behind the eye."""
        seen = (points - self.eye) @ self.axes().T
        depth = seen[..., 2]
        nearest = NEAREST * np.linalg.norm(self.target - self.eye)
        depth = np.where(depth > nearest, depth, np.nan)
        focal = 0.5 * self.height / np.tan(0.5 * self.angle)
        across = 0.5 * self.width + focal * seen[..., 0] / depth
        down = 0.5 * self.height + focal * seen[..., 1] / depth
        return np.stack([across, down, 1.0 / depth], axis=-1)


def camera_for(machine: Machine, width: int, height: int, preset: str = "iso", frame: Frame | None = None) -> Camera:
    """A camera that sees all of a machine's motion, or the machine at one moment."""
    if preset not in PRESETS:
        raise ResultError("", f"there is no camera {preset!r}", f"known: {', '.join(PRESETS)}")
    direction = np.array(PRESETS[preset])
    direction = direction / np.linalg.norm(direction)
    low, high = (machine.low.copy(), machine.high.copy()) if frame is None else machine.box_at(frame)
    if frame is None:
        low[2] = min(low[2], machine.ground)
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    angle, centre = np.radians(28.0), 0.5 * (low + high)
    eye = centre + 10.0 * machine.size * direction
    # move the eye until the box fills the picture, and shift it until the box is in the middle; both affect each other
    for _ in range(12):
        camera = Camera(eye, centre, angle, width, height)
        seen = camera.project(corners)
        spans = np.ptp(seen[:, :2], axis=0) / [width, height]
        middle = 0.5 * (seen[:, :2].min(axis=0) + seen[:, :2].max(axis=0)) - [0.5 * width, 0.5 * height]
        distance = np.linalg.norm(eye - centre)
        metres = distance * 2.0 * np.tan(0.5 * angle) / height
        centre = centre + metres * (middle @ camera.axes()[:2])
        eye = centre + distance * max(spans) * MARGIN * direction
    return Camera(eye, centre, angle, width, height)
