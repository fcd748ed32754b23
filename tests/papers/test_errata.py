"""What the papers print and what is right: the errata of docs/errata.md that no other test shows."""

import numpy as np
import pytest
from scipy.optimize import brentq

import taut
from compare import relative_error
from taut.analyses.cranes import PlanarCrane
from taut.verify.cables.feed import paid_out

QUARTER = np.pi / 2


# Mamidi and Bandyopadhyay 2024


def turn(axis, angle):
    """Rotation matrix about x (0), y (1) or z (2)."""
    c, s = np.cos(angle), np.sin(angle)
    R = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


def table_1(angles, alpha_5):
    """Orientation of a rigid body by the modified Denavit-Hartenberg parameters of [Mamidi2024, Table I]."""
    alphas = [0, QUARTER, QUARTER, -QUARTER, alpha_5, QUARTER]
    thetas = [QUARTER, QUARTER, 0, angles[0], angles[1] + QUARTER, angles[2]]
    R = np.eye(3)
    for alpha, theta in zip(alphas, thetas, strict=True):
        R = R @ turn(0, alpha) @ turn(2, theta)
    return R


def test_table_1_needs_the_other_sign_of_its_fifth_angle():
    assert table_1([0, 0, 0], -QUARTER) == pytest.approx(np.diag([-1.0, -1, 1]), abs=1e-12)  # by the formula as printed
    angles = [0.3, -0.5, 0.8]
    R = turn(0, angles[0]) @ turn(1, angles[1]) @ turn(2, angles[2])
    assert table_1(angles, QUARTER) == pytest.approx(R, abs=1e-12)


@pytest.mark.parametrize(("ramp", "lift_off"), [("2.5*sin(pi*t)", 0.478), ("2.5*sin(pi*t/2)", 0.637)])
def test_lift_off_with_the_thrust_of_equation_25(ramp, lift_off):
    """The paper reports 0.48 s; its Eq. (25) has the second ramp, which jumps from 1.77 N to 2.5 N at 0.5 s."""
    settings = [f"signals.rotor=where(0.5 - t, {ramp}, 2.5)", "run.duration=0.8"]
    result = taut.simulate(taut.build(taut.library.load("mamidi-quadcopter-failure-paper", settings)))
    opens = next(event["time"] for event in result.events if event["what"] == "opens")
    assert opens == pytest.approx(lift_off, abs=1e-3)


def test_ground_of_equation_b1_must_push_upwards():
    """Printed: F_z = s (z - h/2) + d z' below h/2, which throws the platform down; with the other sign it stands."""
    s, d, m, g, rest = 1e3, 1e2, 0.5, 9.81, 0.1

    def height(sign, time=0.1, steps=10_000):
        z, v = rest, 0.0
        for _ in range(steps):
            force = sign * (s * (z - rest) + d * v) if z <= rest else 0.0
            v += (force / m - g) * time / steps
            z += v * time / steps
        return z

    assert height(+1) < -10.0
    # with s and d both against the motion it creeps to where m g = s (h/2 - z)
    stands = {"taut": 1, "name": "box", "platform": {"mass": m, "box": [0.6, 0.8, 0.2], "position": [0, 0, rest]},
              "ground": {"stiffness": s, "damping": d, "law": "bilateral"}, "run": {"duration": 1}}  # fmt: skip
    from taut.scenario.io.reading import make_scenario

    result = taut.simulate(taut.build(make_scenario(stands)))
    assert result["platform_position"].values[-1, 2] == pytest.approx(rest - m * g / s, abs=1e-5)
    assert height(-1, time=1.0) == pytest.approx(rest - m * g / s, abs=1e-5)


def paid_out_path(elements, feed):
    """Places of a light load on a cable that is paid out fast."""
    machine = paid_out(elements)
    machine._data["drivers"]["winch"]["feed"] = feed
    return taut.simulate(taut.build(machine.scenario()))["body_position"].values[:, 0]


@pytest.mark.slow
def test_rate_of_the_mass_matrix_is_not_the_flow_of_material():
    """As published an error of 31 mm stays, however fine the cable; the consistent flow converges."""
    fine = paid_out_path(40, "consistent")
    apart = {(feed, n): np.linalg.norm(paid_out_path(n, feed) - fine, axis=1).max()
             for feed in ("paper", "consistent") for n in (10, 20)}  # fmt: skip
    assert apart["paper", 10] > 0.025 and apart["paper", 20] > 0.025
    assert apart["consistent", 20] < 0.5 * apart["consistent", 10] < 0.005


# Tempel, Schmidt, Haasdonk and Pott 2018


def test_dissipation_of_equation_4_brakes():
    """Printed: +dP/dq' on the right; with the P > 0 of Eq. (5c) that would drive. With -dP/dq' energy is lost."""
    result = taut.simulate(taut.build(taut.library.load("tempel-planar")), duration=5.0)
    energy = result.audit["energy"]
    assert energy["dissipated"] > 0.0 and energy["relative"] < 1e-5  # input - dissipated = stored


# Wang, Cao and van Horssen 2018


def test_sign_of_the_moving_coordinate_in_equation_12():
    """d/dt at fixed y is d/dt at fixed xi less (v xi / l) d/dxi, for xi = y / l(t)."""
    y, t, h = 3.0, 0.7, 1e-20

    def length(time):
        return 10.0 + 0.5 * time

    def new(xi, time):
        return np.sin(2.0 * xi) * np.exp(-time)

    xi, v = y / length(t), 0.5
    direct = np.imag(new(y / length(t + 1j * h), t + 1j * h)) / h
    at_fixed_xi, slope = np.imag(new(xi, t + 1j * h)) / h, np.imag(new(xi + 1j * h, t)) / h
    assert at_fixed_xi - v * xi / length(t) * slope == pytest.approx(direct, rel=1e-12)
    assert abs(at_fixed_xi + v * xi / length(t) * slope - direct) > 0.01  # by the formula as printed


RHO_INF = 0.8
ALPHA_M, ALPHA_F = (2 * RHO_INF - 1) / (RHO_INF + 1), RHO_INF / (RHO_INF + 1)
GAMMA = 0.5 + ALPHA_F - ALPHA_M
BETA = 0.25 * (GAMMA + 0.5) ** 2


@pytest.mark.parametrize(
    ("new_weight", "past_weight", "is_right"),
    [(GAMMA, ALPHA_F, True), (GAMMA * BETA, ALPHA_F, False), (GAMMA, ALPHA_F * (1 - GAMMA), False)],
    ids=["Appendix B", "Eq. 34", "Eq. 35"],
)
def test_speed_by_the_difference_equations_34_and_35(new_weight, past_weight, is_right):
    """A mass under the constant acceleration of 1 m/s^2 has 1 m/s after a second in every scheme."""
    speed, a, h = 0.0, 1.0, 1e-3
    for _ in range(1000):
        last, a = a, ((1 - ALPHA_F) + past_weight - ALPHA_M * a) / (1 - ALPHA_M)
        speed += h * (1 - GAMMA) * last + h * new_weight * a
    assert (abs(speed - 1.0) < 1e-9) == is_right and (is_right or abs(speed - 1.0) > 0.1)


@pytest.mark.parametrize(("share", "omega"), [(4, 4.62), (8, 5.23)])
def test_first_longitudinal_frequency_of_a_thousand_metres(share, omega):
    """Printed: 5.23 rad/s, as with an eighth of the platform's mass per rope; four ropes carry a quarter each."""
    rho, stiffness, length, mass = 6.0, 9e7, 1000.0, 8000.0 / share
    x = brentq(lambda x: x * np.tan(x) - rho * length / mass, 1e-6, QUARTER - 1e-6)  # rod with a mass at its end
    assert x * np.sqrt(stiffness / rho) / length == pytest.approx(omega, abs=5e-3)


# Sathuluri and others


def test_inertia_of_the_couplers_in_table_a9():
    """Printed 0.1764 kg m^2; a rod of 0.432 kg and 0.7 m has m l^2 / 12 = 0.01764 kg m^2."""
    scenario = taut.library.load("six-rss-free-fall")
    name = next(name for name in scenario.bodies if "coupler" in name)
    mass, _, inertia = scenario.bodies[name].mass_properties()
    across = np.sort(np.diag(inertia))[1:]
    assert across == pytest.approx(0.017643, rel=1e-4) and mass * 0.7**2 / 12 == pytest.approx(0.01764, rel=1e-3)


# Brogliato 2022


def test_mass_matrix_of_equation_174():
    m, m_1, m_2 = 20.0, 10.0, 50.0
    t_1, t_2, l_1, l_2 = 0.4, -0.7, 8.0, 2.0
    M = PlanarCrane(m, (m_1, m_2)).mass_matrix(np.array([0.0, t_1, t_2, l_1, l_2]))[:4, :4]
    c_1, c_2, c_12, s_1, s_2 = np.cos(t_1), np.cos(t_2), np.cos(t_1 + t_2), np.sin(t_1), np.sin(t_2)
    first = m_1 * l_1 * c_1 + m_2 * (l_1 * c_1 + l_2 * c_12)
    printed = np.array([
        [m + m_1 + m_2, first, m_2 * l_2 * c_12, (m_1 + m_2) * s_1],
        [first, m_1 * l_1**2 + m_2 * (l_1**2 + l_2**2) + 2 * m_1 * l_1 * l_2 * c_2,
         m_2 * l_2**2 + m_2 * l_1 * l_2 * c_1, -m_2 * l_2 * s_2],
        [m_2 * l_2 * c_12, m_2 * l_2**2 + m_2 * l_1 * l_2 * c_2, m_2 * l_2**2, -m_2 * l_2 * s_2],
        [(m_1 + m_2) * s_1, -m_2 * l_2 * s_2, -m_2 * l_2 * s_2, m_1 + m_2],
    ])  # fmt: skip
    wrong = {(int(i), int(j)) for i, j in np.argwhere(np.abs(printed - M) > 1e-9)}
    assert wrong == {(1, 1), (1, 2)}
    printed[1, 1] += 2 * (m_2 - m_1) * l_1 * l_2 * c_2
    printed[1, 2] += m_2 * l_1 * l_2 * (c_2 - c_1)
    assert relative_error(printed, M) < 1e-14


def test_diagonal_of_the_length_block():
    """Lemma 1, item 3 prints m_1 + ... + m_n; it is the mass that link n carries, m_n + ... + m_N."""
    masses = (1.0, 2.0, 4.0)
    q = np.array([0.0, 0.4, -0.7, 0.2, 3.0, 2.0, 1.0])
    diagonal = np.diag(PlanarCrane(20.0, masses).mass_matrix(q))[4:]
    assert diagonal == pytest.approx([7.0, 6.0, 4.0], rel=1e-14)
    assert np.abs(diagonal - np.cumsum(masses)).max() > 1.0


def payload_rates(x_rate, angles, angle_rates, lengths, length_rates):
    """Velocity of the last node; angles are absolute."""
    across = x_rate + np.sum(length_rates * np.sin(angles) + lengths * angle_rates * np.cos(angles))
    up = np.sum(-length_rates * np.cos(angles) + lengths * angle_rates * np.sin(angles))
    return across, up


@pytest.mark.parametrize("n", [1, 2, 3])
def test_derivative_of_the_kinetic_energy_in_equation_73(n):
    """At the vertical, payload alone: the printed result m_N (l_n' + ... + l_N') x' holds for n = 1 only."""
    mass, x_rate, h = 5.0, 0.7, 1e-20
    rates, lengths, hoists = np.cumsum([0.3, -0.2, 0.5]), np.array([3.0, 2.0, 1.0]), np.array([0.4, 0.1, -0.3])
    angles = np.zeros(3, complex)
    angles[n - 1 :] += 1j * h  # theta_n turns link n and all below
    across, up = payload_rates(x_rate, angles, rates, lengths, hoists)
    found = np.imag(0.5 * mass * (across**2 + up**2)) / h
    below = slice(n - 1, None)
    right = mass * ((x_rate + np.sum(lengths * rates)) * np.sum(hoists[below])
                    - np.sum(hoists) * np.sum(lengths[below] * rates[below]))  # fmt: skip
    assert found == pytest.approx(right, rel=1e-12)
    assert (abs(found - mass * np.sum(hoists[below]) * x_rate) < 1e-12) == (n == 1)


def test_elastic_energy_in_absolute_angles():
    """Printed before Eq. (88) with the factor 1/2 in the first term only; it belongs to all, as in (88) to (91)."""
    kappa, alpha = np.array([3.0, 5.0, 7.0]), np.array([0.2, -0.1, 0.4])
    bends = np.diff(alpha, prepend=0.0)
    energy = 0.5 * np.sum(kappa * bends**2)  # of the relative angles, as printed before Eq. (87)
    printed = 0.5 * kappa[0] * alpha[0] ** 2 + np.sum(kappa[1:] * np.diff(alpha) ** 2)
    assert energy == pytest.approx(0.5 * kappa[0] * alpha[0] ** 2 + 0.5 * np.sum(kappa[1:] * np.diff(alpha) ** 2))
    assert abs(printed - energy) > 0.5
