"""Settings of all tests."""

from hypothesis import settings

from compare import WORST

# the first call of a kernel may compile it
settings.register_profile("taut", deadline=None)
settings.load_profile("taut")


def pytest_addoption(parser):
    parser.addoption("--worst", action="store_true", help="print the largest relative error of each test (without -n)")


def pytest_terminal_summary(terminalreporter, config):
    if config.getoption("--worst"):
        terminalreporter.section("largest relative errors")
        for test, error in WORST.items():
            terminalreporter.write_line(f"{error:8.1e}  {test}")
