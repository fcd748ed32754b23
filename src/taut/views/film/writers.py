"""Where the pictures of a film go: an encoder, a GIF, or a folder; whole files or none."""

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from taut.results.errors import ResultError
from taut.results.store import check_target

SUFFIXES = (".mp4", ".gif")
NEEDS = "pip install 'taut[view]' brings it"


class Writer(Protocol):
    """Takes pictures one by one."""

    def add(self, picture: np.ndarray) -> None:
        """Append a picture, shape [height, width, 3]."""

    def close(self) -> Path:
        """Finish, and return what was written."""
        ...

    def drop(self) -> None:
        """Remove what is not finished; nothing after ``close``."""


def writer_for(output: Path, fps: float) -> Writer:
    """The writer that the name asks for."""
    suffix = output.suffix.lower()
    if suffix == ".mp4":
        return Mp4Writer(output, fps)
    if suffix == ".gif":
        return GifWriter(output, fps)
    if suffix in ("", ".png-frames"):
        return FolderWriter(output)
    raise ResultError(
        output, "is no film", f"end the name in {' or '.join(SUFFIXES)}, or in nothing for a folder of PNG"
    )


class Mp4Writer:
    """H.264 through the encoder that imageio-ffmpeg brings along."""

    def __init__(self, output: Path, fps: float) -> None:
        """Refuse a place that cannot be written to before anything is drawn."""
        check_target(output)
        try:
            import imageio_ffmpeg
        except ImportError:
            raise ResultError(output, "needs imageio-ffmpeg, which is not installed", NEEDS) from None
        self._ffmpeg, self._output, self._fps = imageio_ffmpeg, output, fps
        self._part = _part(output)
        self._pipe: Any = None

    def add(self, picture: np.ndarray) -> None:
        """Encode a picture."""
        if self._pipe is None:
            height, width = picture.shape[:2]
            quality = ["-preset", "veryfast", "-crf", "20", "-movflags", "+faststart"]
            self._pipe = self._ffmpeg.write_frames(
                str(self._part), (width, height), fps=self._fps, codec="libx264", pix_fmt_out="yuv420p",
                quality=None, macro_block_size=2, output_params=quality, ffmpeg_log_level="error",
            )  # fmt: skip
            self._pipe.send(None)
        self._pipe.send(np.ascontiguousarray(picture))

    def close(self) -> Path:
        """Let the encoder finish, and give the film its name."""
        self._pipe.close()
        self._part.replace(self._output)
        return self._output

    def drop(self) -> None:
        """Remove a film that is not finished."""
        if self._pipe is not None:
            self._pipe.close()
        _remove(self._part)


class GifWriter:
    """A GIF that repeats without end."""

    def __init__(self, output: Path, fps: float) -> None:
        """Refuse a place that cannot be written to before anything is drawn."""
        check_target(output)
        self._output, self._fps, self._part = output, fps, _part(output)
        self._pictures: list[Any] = []
        self._palette: Any = None

    def add(self, picture: np.ndarray) -> None:
        """Keep a picture with the colours of the first."""
        from PIL import Image

        image = Image.fromarray(picture)
        if self._palette is None:
            self._palette = image.quantize(255, dither=Image.Dither.NONE)
        self._pictures.append(image.quantize(palette=self._palette, dither=Image.Dither.NONE))

    def close(self) -> Path:
        """Write the file."""
        first, *rest = self._pictures
        # browsers slow a GIF down if a picture is shown for less than 20 ms
        first.save(
            self._part,
            format="GIF",
            save_all=True,
            append_images=rest,
            duration=max(20, round(1000 / self._fps)),
            loop=0,
        )
        self._part.replace(self._output)
        return self._output

    def drop(self) -> None:
        """Remove a film that is not finished."""
        _remove(self._part)


class FolderWriter:
    """PNG pictures with numbers, for other tools."""

    def __init__(self, output: Path) -> None:
        """Make the folder."""
        if output.exists() and not output.is_dir():
            raise ResultError(output, "is a file", "name a folder for the pictures")
        output.mkdir(parents=True, exist_ok=True)
        self._folder, self._count = output, 0

    def add(self, picture: np.ndarray) -> None:
        """Write a picture."""
        from PIL import Image

        self._count += 1
        Image.fromarray(picture).save(self._folder / f"frame-{self._count:05d}.png", compress_level=2)

    def close(self) -> Path:
        """Return the folder."""
        return self._folder

    def drop(self) -> None:
        """Keep the pictures there are: each is whole."""


def _part(output: Path) -> Path:
    return output.with_name(f".{output.stem}.{secrets.token_hex(4)}{output.suffix}")


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
