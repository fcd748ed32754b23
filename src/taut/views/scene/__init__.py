"""A machine as plain geometry: shapes, poses and colours, independent of any renderer."""

from taut.views.scene.frames import Frame, Frames
from taut.views.scene.machine import Machine, read_machine

__all__ = ["Frame", "Frames", "Machine", "read_machine"]
