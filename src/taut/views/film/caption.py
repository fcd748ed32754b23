"""Words on a picture: what it shows, when, and what the colours mean."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from taut.views.scene.colours import SLACK, Theme, force_text, tension_colours
from taut.views.scene.frames import Frame
from taut.views.scene.machine import Machine

BAR = 150  # length of the colour bar [pixels] in a picture of 720 rows


class Caption:
    """Writes title, time, colour bar and slack cables onto pictures of one machine."""

    def __init__(self, machine: Machine, title: str, theme: Theme, height: int) -> None:
        """Take the constant parts of the caption; letters grow with the height of the picture [pixels]."""
        self.machine, self.title = machine, title
        self.ink = tuple(round(255 * c) for c in theme.text)
        self.scale = max(height / 720.0, 0.5)

    def write(self, image: np.ndarray, frame: Frame) -> np.ndarray:
        """The picture with its caption."""
        from PIL import Image, ImageDraw

        picture = Image.fromarray(image)
        pen = ImageDraw.Draw(picture)
        margin = self._px(16)
        width = image.shape[1] - 2 * margin
        pen.text((margin, margin), self._fitting(self.title, width), fill=self.ink, font=self._font(19))
        pen.text((margin, margin + self._px(27)), f"t = {frame.time:.2f} s", fill=self.ink, font=self._font(17))
        if len(frame.nodes):
            self._write_bar(pen, margin, image.shape[0] - margin)
            self._write_slack(pen, frame, margin + self._px(54))
        return np.asarray(picture)

    def _write_bar(self, pen: Any, left: int, bottom: int) -> None:
        """The colour bar with its two ends in newtons."""
        low, high = self.machine.tension_limits
        top, length = bottom - self._px(30), self._px(BAR)
        shares = np.linspace(low, high, length)
        colours = (255 * tension_colours(shares, np.zeros(length, bool), (low, high))).round().astype(int)
        for k, colour in enumerate(colours):
            pen.line([(left + k, top), (left + k, top + self._px(9))], fill=tuple(colour))
        words = f"{force_text(low)} to {force_text(high)}"
        pen.text((left, top + self._px(12)), f"tension {words}", fill=self.ink, font=self._font(13))

    def _write_slack(self, pen: Any, frame: Frame, top: int) -> None:
        slack = [
            name for name, is_slack in zip(self.machine.frames.cables, frame.is_slack, strict=True) if is_slack.any()
        ]
        cut = [name for name, is_cut in zip(self.machine.frames.cables, frame.is_cut, strict=False) if is_cut]
        colour = tuple(round(255 * c) for c in SLACK)
        for word, names in (("slack", slack), ("cut", cut)):
            if names:
                shown = ", ".join(names[:6]) + (" ..." if len(names) > 6 else "")
                fill = colour if word == "slack" else self.ink
                pen.text((self._px(16), top), f"{word}: {shown}", fill=fill, font=self._font(15))
                top += self._px(24)

    def _fitting(self, text: str, width: int) -> str:
        font = self._font(19)
        if font.getlength(text) <= width:
            return text
        while text and font.getlength(text + " ...") > width:
            text = text[:-1]
        return text + " ..."

    def _font(self, size: float) -> Any:
        return _font(round(size * self.scale))

    def _px(self, length: float) -> int:
        return max(1, round(length * self.scale))


@lru_cache
def _font(size: int) -> Any:
    """DejaVu Sans, which comes with matplotlib."""
    import matplotlib
    from PIL import ImageFont

    path = Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf"
    return ImageFont.truetype(str(path), max(size, 7))
