"""Files speak of the project only: no path of one machine, no package registry's address."""

import re

import pytest

from house.sources import ROOT, project_files

# written in pieces, so that this file passes its own test
MACHINE_FOLDERS = ["work", "root", "home", "Users", "opt"]
REGISTRIES = ["pypi" + ".org", "pythonhosted" + ".org", "npmjs" + ".org", "anaconda" + ".org"]
MACHINE_PATH = re.compile(rf"(?<![\w.~<>*)\]-])/(?:{'|'.join(MACHINE_FOLDERS)})/")
REGISTRY = re.compile("|".join(map(re.escape, REGISTRIES)))


def offending_lines(pattern: re.Pattern) -> list[str]:
    found = []
    for path in project_files():
        text = path.read_bytes().decode("utf-8", errors="replace")
        lines = enumerate(text.splitlines(), start=1)
        found += [f"{path.relative_to(ROOT)}:{number}" for number, line in lines if pattern.search(line)]
    return found


@pytest.mark.parametrize("pattern", [MACHINE_PATH, REGISTRY], ids=["machine path", "registry"])
def test_no_file_contains(pattern):
    assert offending_lines(pattern) == []


@pytest.mark.parametrize("folder", MACHINE_FOLDERS)
def test_machine_paths_are_recognised(folder):
    assert MACHINE_PATH.search(f'open("/{folder}/x")')
    assert not MACHINE_PATH.search(f"https://example.com/{folder}/x")
