"""Every citation has an entry, and the two lists of references agree."""

import re

from house.sources import ROOT, SOURCES

BIB_KEY = re.compile(r"^@\w+\{(\w+),", re.MULTILINE)
PAGE_KEY = re.compile(r"^\*\*(\w+)\*\*$", re.MULTILINE)
# [Mamidi2024, Eq. 13] or [Mamidi 2024, Eq. 13], several separated by semicolons
CITATION = re.compile(r"[\[;]\s*([A-Z][A-Za-z]+) ?(\d{4}[a-z]?)(?=[,;\]])")


def keys(file: str, pattern: re.Pattern) -> list[str]:
    return pattern.findall((ROOT / "docs" / file).read_text(encoding="utf-8"))


def test_page_lists_the_bibliography():
    assert keys("references.md", PAGE_KEY) == keys("references.bib", BIB_KEY)


def test_citations_in_the_sources_have_an_entry():
    known = set(keys("references.bib", BIB_KEY))
    cited = {
        (author + year, path.name)
        for path in SOURCES
        for author, year in CITATION.findall(path.read_text(encoding="utf-8"))
    }
    assert not {(key, name) for key, name in cited if key not in known}
