"""The examples a reader meets first run as they are printed."""

import re

import pytest

from house.sources import ROOT

PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
README = (ROOT / "README.md").read_text(encoding="utf-8")
# blank lines in front keep the line numbers of the file in a traceback
BLOCKS = ["\n" * README.count("\n", 0, match.start(1)) + match[1] for match in PYTHON_BLOCK.finditer(README)]


def test_readme_has_an_example():
    assert BLOCKS


@pytest.mark.parametrize("block", BLOCKS)
def test_readme_example_runs(block, capsys):
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out
