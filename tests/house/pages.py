"""Pieces of code in the pages of the documentation."""

import re

from house.sources import ROOT

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[tuple[str, str]]:
    """Language and text of every code block of a page; blank lines in front keep the line numbers of the file."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [(match[1], "\n" * text.count("\n", 0, match.start(2)) + match[2]) for match in BLOCK.finditer(text)]
