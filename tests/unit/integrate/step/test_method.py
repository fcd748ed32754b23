"""What every integrator must do: end, balance energy, close loops, find events, resume bit by bit."""

import numpy as np
import pytest

import taut
from crashes import crash_behind, resumed
from short_calls import shorten_calls
from taut.integrate.alpha.method import scheme
from taut.integrate.run import recorder
from taut.integrate.simulate import ALL_INTEGRATORS
from taut.scenario import loads
from taut.verify.trust.resume import largest_difference

TAUT, CONTACT = 0.4515236409857309, 0.10376810866956472  # closed form of the bounce below [s]
ALPHA = "generalized-alpha"


@pytest.fixture(scope="module")
def linkage():
    """A loop with redundant rows and a driven, damped crank."""
    crank = ["bodies.crank.joint.force=30*sin(2*t)", "bodies.crank.joint.friction.viscous=0.5"]
    return taut.build(taut.library.load("four-bar", ["run.duration=0.6", *crank]))


def bounce(**run):
    """A mass on a spring that only pulls, released at the anchor."""
    machine = taut.Machine("bounce")
    joint = {"kind": "prismatic", "axis": [0, 0, -1], "spring": {"law": "bilinear", "stiffness": 1000.0, "free": 1.0}}
    machine.body("mass", mass=1.0, joint=joint)
    machine.run(**{"duration": 1.0, "tolerance": 1e-8, **run})
    return taut.build(machine.scenario())


@pytest.mark.parametrize("name", ALL_INTEGRATORS)
def test_loops_close_and_energy_balances(linkage, name):
    audit = taut.simulate(linkage, integrator=name, tolerance=1e-5).audit
    assert audit["verdict"] == "pass", audit["reasons"]
    assert abs(audit["energy"]["input"]) > 0.1 and audit["energy"]["dissipated"] > 0.01


@pytest.mark.parametrize("name", ALL_INTEGRATORS)
def test_elastic_cables_or_a_clear_word(name):
    model = taut.build(taut.library.load("mamidi-pick-and-place", ["ground=null", "run.duration=1"]))
    result = taut.simulate(model, integrator=name, tolerance=1e-4)
    if name == "explicit":
        assert result.status == "too stiff" and "radau" in result.status_text
        return
    reference = taut.simulate(model, tolerance=1e-9)
    away = np.abs(result["platform_position"].values - reference["platform_position"].values).max()
    assert result.audit["verdict"] == "pass" and away < 2e-4


def test_too_stiff_is_said_between_samples_of_a_controller_too():
    machine = taut.Machine("stiff and controlled").signal("push", kind="command")
    machine.body("cart", mass=2.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "force": "push"})
    spring = {"stiffness": 1e6, "damping": 1e6}
    machine.body("stiff", mass=1.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "position": 0.1, "spring": spring})
    machine.controller("hold", period=0.01, commands=["push"]).run(duration=1.0, save_every=0.1)
    model = taut.build(machine.scenario())
    result = taut.simulate(model, integrator="explicit", controllers={"hold": lambda t, measured: {"push": 1.0}})
    assert result.status == "too stiff" and result.audit["steps"]["accepted"] < 1000


@pytest.mark.parametrize(("name", "close"), [("radau", 1e-9), ("explicit", 1e-9), (ALPHA, 1e-7)])
def test_events_are_located(name, close):
    result = taut.simulate(bounce(), integrator=name)
    found = {event["what"]: event["time"] for event in result.events}
    assert found["goes taut"] == pytest.approx(TAUT, abs=1e-9)
    assert found["goes slack"] == pytest.approx(TAUT + CONTACT, abs=close)


@pytest.mark.parametrize("settings", [{"integrator": name} for name in ALL_INTEGRATORS]
                         + [{"integrator": name, "step": 0.03} for name in (ALPHA, "explicit")])  # fmt: skip
def test_an_event_stops_the_run_where_it_is(settings):
    machine = taut.Machine("fall")
    machine.body("mass", mass=1.0, joint={"kind": "prismatic", "axis": [0, 0, -1]})
    machine.event("low", body="mass", value=-0.5, crossing="down", action="stop")
    result = taut.simulate(taut.build(machine.scenario()), **settings)
    assert result.status == "stopped"
    assert result.events[-1]["time"] == pytest.approx(np.sqrt(2 * 0.5 / 9.81), abs=1e-9)


@pytest.mark.parametrize("name", ALL_INTEGRATORS)
def test_a_dropped_box_comes_to_rest(name):
    machine = taut.Machine("drop")
    machine.platform(mass=1.0, box=[0.2, 0.2, 0.2], position=[0, 0, 0.15])
    machine.ground(stiffness=1e4, damping=200.0)
    machine.run(duration=1.0, tolerance=1e-5)
    result = taut.simulate(taut.build(machine.scenario()), integrator=name)
    assert result["platform_position"].values[-1] == pytest.approx([0, 0, 0.1 - 9.81 / 1e4], abs=1e-5)
    assert result.audit["verdict"] == "pass", result.audit["reasons"]


@pytest.mark.parametrize("settings", [{"integrator": name} for name in ALL_INTEGRATORS]
                         + [{"integrator": ALPHA, "step": 0.004, "generalized_alpha": {"index": 3}},
                            {"integrator": "explicit", "explicit": {"stabilisation": "baumgarte"}}])  # fmt: skip
def test_resumed_after_a_crash(linkage, settings, tmp_path, monkeypatch):
    # short calls, each journalled; a buffer so short that steps wait for room in it
    shorten_calls(monkeypatch, 3)
    monkeypatch.setattr("taut.integrate.run.reading.BUFFER", 4)
    monkeypatch.setattr(recorder, "JOURNAL_EVERY", -1.0)
    settings = {"tolerance": 1e-5, **settings}
    whole = taut.simulate(linkage, **settings)
    again = resumed(linkage, tmp_path / "run.nc", crash_behind(0.3), **settings)
    assert largest_difference(again, whole) == 0.0


def test_a_fixed_step_is_kept(linkage):
    sizes = taut.simulate(linkage, integrator=ALPHA, step=0.007)["step_size"].values
    assert np.ptp(sizes) < 1e-12 and sizes[0] == pytest.approx(0.6 / 86)


def test_real_time_reports_its_longest_step(linkage):
    own = {"real_time": True, "most_iterations": 2}
    result = taut.simulate(linkage, integrator=ALPHA, step=0.002, generalized_alpha=own)
    steps = result.audit["steps"]
    assert 0.0 < steps["step_seconds_mean"] <= steps["step_seconds_max"]
    assert result["step_newton_iterations"].values.max() <= 2
    # a bound on the number of iterations changes the motion by no more than the method's error
    other = taut.simulate(linkage, integrator=ALPHA, step=0.002)
    assert np.abs(result["joint_position"].values - other["joint_position"].values).max() < 1e-5


def test_baumgarte_leaves_closure_errors_that_projection_does_not(linkage):
    worst = {}
    for how in ("projection", "baumgarte"):
        result = taut.simulate(linkage, integrator="explicit", explicit={"stabilisation": how}, tolerance=1e-4)
        worst[how] = result["constraint_error"].values.max()
    assert worst["projection"] < 1e-9 < worst["baumgarte"] < 1e-2


@pytest.mark.nojit
@pytest.mark.parametrize("rho", [0.0, 0.5, 1.0])
def test_spectral_radius_at_infinity(rho):
    """Amplification of an infinitely stiff spring in one step, from the scheme's own equations."""
    alpha_m, alpha_f, gamma, beta = scheme(rho)
    # unknowns (q, h v, h^2 a) for q'' = -w^2 q with h w large: equation of motion scaled by 1 / (h w)^2
    z = 1e12
    left = np.array([[1, 0, -beta], [0, 1, -gamma], [(1 - alpha_f) * z, 0, 1 - alpha_m]])
    right = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [-alpha_f * z, 0, -alpha_m]])
    radius = np.abs(np.linalg.eigvals(np.linalg.solve(left, right))).max()
    # three eigenvalues coincide there, so that rounding and 1 / z enter by their cube root
    assert radius == pytest.approx(rho, abs=1e-3)


@pytest.mark.nojit
def test_tableau_is_consistent():
    from taut.kernels.dop853 import STAGES, A, C, D, E

    assert A.sum(axis=1) == pytest.approx(C, abs=1e-13)
    assert [A[STAGES] @ C**k for k in range(8)] == pytest.approx([1 / (k + 1) for k in range(8)], abs=1e-13)
    assert E.sum(axis=1) == pytest.approx(0.0, abs=1e-13)
    assert D.sum(axis=1) == pytest.approx(0.0, abs=1e-10)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"step": 0.01}, "radau chooses its steps"),
        ({"integrator": ALPHA, "generalized_alpha": {"real_time": True}}, "needs a fixed step"),
        ({"integrator": ALPHA, "generalized_alpha": {"rho_infinity": 1.5}}, "rho_infinity"),
        ({"integrator": ALPHA, "generalized_alpha": {"index": 1}}, "must be 2 or 3"),
        ({"integrator": ALPHA, "generalized_alpha": {"rho": 1}}, "unknown key"),
        ({"integrator": ALPHA, "generalized_alpha": 3}, "must be a mapping"),
        ({"integrator": "explicit", "step": -1.0}, "positive finite"),
        ({"integrator": "explicit", "step": 1e-12}, "too small: 6e"),
        ({"integrator": "explicit", "explicit": {"stabilisation": "none"}}, "must be one of projection, baumgarte"),
        ({"integrator": "alpha"}, "is no method"),
    ],
)
def test_settings_that_a_method_cannot_have(linkage, settings, message):
    with pytest.raises(taut.ScenarioError, match=message):
        taut.simulate(linkage, **settings)


def test_a_setting_of_the_file_is_refused_with_its_line():
    text = "taut: 1\nname: fall\nbodies: {bob: {mass: 1, joint: {kind: point}}}\nrun:\n  step: 0.1\n"
    with pytest.raises(taut.ScenarioError, match=r"here.yaml:5: run.step = 0.1: radau chooses"):
        taut.simulate(taut.build(loads(text, "here.yaml")))
