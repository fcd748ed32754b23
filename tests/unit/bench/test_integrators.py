"""The benchmark of the integrators: its rows and their text."""

import pytest

from taut.bench import integrators


@pytest.fixture
def quick(monkeypatch):
    """One run of each row on the cables, short."""
    monkeypatch.setattr(integrators, "MACHINES", {"mamidi-pick-and-place": ["ground=null", "run.duration=0.2"]})
    monkeypatch.setattr(integrators, "REPEATS", 2)
    monkeypatch.setattr(integrators, "REFERENCE_TOLERANCE", 1e-9)
    monkeypatch.setattr(integrators, "TOLERANCES", (1e-4, 1e-5))
    monkeypatch.setattr(integrators, "STEPS", (1e-2,))


def test_rows_and_lines(quick):
    told = []
    figures = integrators.run(told.append)
    rows = figures["mamidi-pick-and-place"]
    assert {row["status"] for row in rows["explicit"]} == {"too stiff"}
    assert all(
        row["error"] < 1e-3 and row["seconds"] > 0 for name in rows if "explicit" not in name for row in rows[name]
    )
    lines = integrators.lines(figures)
    assert len(lines) == 2 + sum(map(len, rows.values())) and all(line.count("|") == 7 for line in lines)
    assert len(told) == 1 + len(rows)
