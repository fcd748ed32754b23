"""Whether an audit is right, by true errors and by what more exact runs say."""

from types import SimpleNamespace

import pytest

from taut import library
from taut.build import build
from taut.integrate.simulate import simulate
from taut.verify.trust import judged as subject
from taut.verify.trust.judged import ALARM, RIGHT, WARNED, WRONG, Errors, judged

SMALL, LARGE = Errors(0.1, 0.2, 0.3), Errors(3.0, 0.2, 0.3)


def run(verdict="pass", status="completed", **lines):
    audit = {"verdict": verdict} | {name: {"verdict": word} for name, word in lines.items()}
    return SimpleNamespace(audit=audit, status=status)


CLOSER = [run(), run()]


@pytest.mark.parametrize(
    ("found", "closer", "errors", "doubt", "verdict"),
    [
        (run(), CLOSER, SMALL, SMALL, RIGHT),
        (run(), CLOSER, LARGE, SMALL, WRONG),
        (run(passages="warn"), CLOSER, LARGE, SMALL, WARNED),
        (run("fail", energy="fail"), CLOSER, SMALL, SMALL, ALARM),
        (run("fail", energy="fail"), CLOSER, LARGE, SMALL, RIGHT),
        (run("fail", energy="fail"), CLOSER, SMALL, LARGE, RIGHT),
        (run("fail", law="fail"), [run("fail", law="fail")] * 2, SMALL, SMALL, RIGHT),
        (run("fail", energy="fail"), [run("fail", energy="fail")] * 2, SMALL, SMALL, ALARM),
        (run("fail", steps="fail"), [run("fail", "step too small")] * 2, SMALL, SMALL, RIGHT),
    ],
)
def test_true_errors_decide(found, closer, errors, doubt, verdict):
    assert subject._weighed(found, closer, errors, doubt).verdict == verdict


def test_a_run_whose_error_is_known():
    """Without the growth that its scenario names, the linkage is off by eleven tolerances: twice what is allowed."""
    model = build(library.load("four-bar", ["run.error_growth=1"]))
    found = judged(model, simulate(model))
    assert found.verdict == WARNED and 2.0 < found.errors.points < 2.5
    assert found.doubt.largest < 0.5
    better = build(library.load("four-bar"))
    assert judged(better, simulate(better)).verdict == RIGHT
