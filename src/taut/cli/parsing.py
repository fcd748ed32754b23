"""Texts on the command line that stand for several values."""

import re


def parse_size(text: str) -> tuple[int, int]:
    """Width and height [pixels] from a text such as 1280x720."""
    from taut.results.errors import ResultError

    found = re.fullmatch(r"\s*(\d{1,5})\s*[xX]\s*(\d{1,5})\s*", text)
    if not found:
        raise ResultError("", f"size = {text}: must be WIDTHxHEIGHT in pixels", "for example 1280x720")
    return int(found[1]), int(found[2])


def split_names(names: list[str]) -> list[str]:
    """Names given one by one or with commas between."""
    return [name.strip() for text in names for name in text.split(",") if name.strip()]
