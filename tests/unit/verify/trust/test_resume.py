"""Kill -9 at random moments of a long run; `taut verify resume` does it ten times."""

import pytest

from taut.verify.trust.resume import kill_and_resume


@pytest.mark.slow
def test_killed_runs_end_like_an_undisturbed_one(tmp_path):
    starts, differences = kill_and_resume(tmp_path, 3)
    assert differences == [0.0] * 3
    assert max(starts) > 0.0
