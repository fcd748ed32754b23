"""Settings of all tests."""

import os
from collections import Counter

import pytest
from hypothesis import settings
from numba.core import config as compiler

from compare import WORST

# the first call of a kernel may compile it
settings.register_profile("taut", deadline=None)
settings.load_profile("taut")
# the workers of the tests keep the cores busy: none compiles in two processes
os.environ.setdefault("TAUT_COMPILERS", "1")


def pytest_addoption(parser):
    parser.addoption("--worst", action="store_true", help="print the largest relative error of each test (without -n)")


NO_BROWSER = "NO BROWSER"
UNCOMPILED = "runs without the compiler, by tests/house/test_jit_disabled.py"


def pytest_collection_modifyitems(config, items):
    for item in items:
        if item.get_closest_marker("uncompiled") and not compiler.DISABLE_JIT:
            item.add_marker(pytest.mark.skip(reason=UNCOMPILED))
    if hasattr(config, "workerinput"):
        items.sort(key=costs(items))


def costs(items):
    """Order of files for several workers: slow ones first, so that none is left for a single worker at the end."""
    slow = Counter(item.path for item in items if item.get_closest_marker("slow"))
    count = Counter(item.path for item in items)
    return lambda item: (-slow[item.path], -count[item.path], str(item.path))


def pytest_terminal_summary(terminalreporter, config):
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if NO_BROWSER in str(report.longrepr)]
    if skipped:
        terminalreporter.section(f"NO BROWSER ON THIS MACHINE: {len(skipped)} TESTS OF THE PAGES DID NOT RUN", sep="!")
        terminalreporter.write_line("install chromium, or name a browser with TAUT_BROWSER, to run them")
    if config.getoption("--worst"):
        terminalreporter.section("largest relative errors")
        for test, error in WORST.items():
            terminalreporter.write_line(f"{error:8.1e}  {test}")
