"""The way of a scenario through the code is as docs/architecture.md says."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from house.sources import ROOT

HERE = Path(__file__).parent
FOLLOW = """
import json, sys
from pathlib import Path
import taut, taut.cli
home, called = str(Path(taut.__file__).parent), {}

def note(frame, event, _argument):
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(home):
        called.setdefault(code.co_filename[len(home) + 1 :] + " " + code.co_qualname)

sys.argv = ["taut", "run", *sys.argv[1:], "--json"]
sys.setprofile(note)
try:
    taut.cli.main()
finally:
    sys.setprofile(None)
    print(json.dumps(list(called)), file=sys.stderr)
"""


def hops():
    """Place and function of every row."""
    section = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").split("## A scenario on its way")[1]
    return [" ".join(found) for found in re.findall(r"^\| `([\w/]+\.py)` \| `([^`]+)` \|", section, re.MULTILINE)]


def test_the_walk_is_true(tmp_path):
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", FOLLOW, str(HERE / "walk.yaml"), "-o", str(tmp_path / "walk.nc")]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode == 0, ended.stdout
    called = json.loads(ended.stderr.splitlines()[-1])
    walk = hops()
    assert len(walk) > 30 and not set(walk) - set(called)
    assert walk == sorted(walk, key=called.index)
