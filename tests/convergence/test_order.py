"""Observed order of every integrator on smooth machines with loops: it is the stated one."""

import pytest

from taut.integrate.settings import ALL_INTEGRATORS
from taut.verify.mechanisms.integrators import ALPHA, RADAU, STEPS, Reference, equal_steps, fixed_steps


@pytest.fixture(scope="module", params=["stewart", "four-bar"])
def machine(request):
    return request.param, Reference(request.param)


@pytest.mark.parametrize("channel", ["q", "v", "lam"])
@pytest.mark.parametrize("rho_infinity", [0.0, 0.8])
@pytest.mark.parametrize("index", [2, 3])
def test_generalized_alpha_has_order_2(machine, index, rho_infinity, channel):
    name, reference = machine
    rows = fixed_steps(ALPHA, name, generalized_alpha={"index": index, "rho_infinity": rho_infinity})
    assert reference.observed_order(rows, channel) == pytest.approx(ALL_INTEGRATORS[ALPHA].order, abs=0.1)


@pytest.mark.parametrize(("channel", "order"), [("q", 5), ("v", 5), ("lam", 3)])
def test_radau_has_order_5_and_3_in_multipliers(machine, channel, order):
    assert machine[1].observed_order(equal_steps(machine[0]), channel) == pytest.approx(order, abs=0.3)


def test_equal_steps_of_radau_are_equal(machine):
    for settings, count in zip(equal_steps(machine[0]), STEPS[RADAU, machine[0]], strict=True):
        assert machine[1].error(settings)[1] == count


@pytest.mark.parametrize("stabilisation", ["projection", "baumgarte"])
def test_explicit_has_order_8(machine, stabilisation):
    name, reference = machine
    rows = fixed_steps("explicit", name, explicit={"stabilisation": stabilisation})
    assert reference.observed_order(rows) > ALL_INTEGRATORS["explicit"].order - 0.5


@pytest.mark.parametrize(("name", "own", "order"), [
    ("nonsmooth-alpha", {}, 2), ("nonsmooth-alpha", {"nonsmooth_alpha": {"rho_infinity": 0.0}}, 2),
    ("nonsmooth-alpha", {"nonsmooth_alpha": {"reactions": "impulses"}}, 1), ("moreau-jean", {}, 1)])  # fmt: skip
@pytest.mark.parametrize("channel", ["q", "v", "lam"])
def test_nonsmooth_methods_have_their_order_where_all_is_smooth(machine, name, own, order, channel):
    reference = machine[1]
    assert reference.observed_order(fixed_steps(name, machine[0], **own), channel) == pytest.approx(order, abs=0.1)


@pytest.mark.parametrize("name", [name for name, method in ALL_INTEGRATORS.items() if not method.passes_one_sided])
def test_adaptive_steps_meet_the_tolerance(machine, name):
    for tolerance in (1e-3, 1e-5):
        assert machine[1].error({"integrator": name, "tolerance": tolerance})[0] < 10 * tolerance
