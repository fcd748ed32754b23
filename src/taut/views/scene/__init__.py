"""What is to be seen of a machine, as plain geometry: shapes, poses and colours, drawn by nobody yet."""

from taut.views.scene.frames import Frame, Frames
from taut.views.scene.machine import Machine, read_machine

__all__ = ["Frame", "Frames", "Machine", "read_machine"]
