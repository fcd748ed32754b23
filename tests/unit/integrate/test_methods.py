"""Integrators are found by their names, and imported when they are needed."""

import subprocess
import sys

from taut.integrate.settings import ALL_INTEGRATORS


def test_every_method_stands_under_its_own_name():
    assert [method.name for method in ALL_INTEGRATORS.values()] == list(ALL_INTEGRATORS)
    assert "radau" not in ALL_INTEGRATORS.with_fixed_step() and "explicit" in ALL_INTEGRATORS.with_fixed_step()


def test_settings_import_no_method():
    program = "import sys, taut.integrate.settings; print(*[name for name in sys.modules if name.endswith('.method')])"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert found == ["taut.integrate.step.method"]
