"""A spring beside a branch whose force is the cube of its stretch: one internal state, as "Add a law" says."""

EDITS = {
    "model/laws.py": [
        ("    BACKLASH = 5", "    CUBIC_BRANCH = 8  # a spring beside a cubic branch that relaxes\n    BACKLASH = 5"),
        (
            "    LawKind.BACKLASH: ",
            "    LawKind.CUBIC_BRANCH: LawDefinition(\n"
            "        force=lambda k, p, e, z: -k * e - p[0] * (e - z) ** 3,\n"
            "        energy=lambda k, p, e, z: 0.5 * k * e**2 + 0.25 * p[0] * (e - z) ** 4,\n"
            '        parameter_count=2,\n        has_state=True,\n        names=("cubic-branch",),\n'
            "    ),\n    LawKind.BACKLASH: ",
        ),
    ],
    "dynamics/forces/laws.py": [
        ("BACKLASH = int(", "CUBIC_BRANCH = int(LawKind.CUBIC_BRANCH)\nBACKLASH = int("),
        (
            "    if law.law == BACKLASH:\n        return -law.stiffness * beyond",
            "    if law.law == CUBIC_BRANCH:\n"
            "        return -law.stiffness * e - p[0] * (e - z) * (e - z) * (e - z)\n"
            "    if law.law == BACKLASH:\n        return -law.stiffness * beyond",
        ),
        (
            "    if law.law == BACKLASH:\n        return law.stiffness + 0.0 * e if",
            "    if law.law == CUBIC_BRANCH:\n"
            "        return law.stiffness + 3.0 * p[0] * (e - z) * (e - z)\n"
            "    if law.law == BACKLASH:\n        return law.stiffness + 0.0 * e if",
        ),
        (
            "    if law.law == BACKLASH:\n        x = beyond",
            "    if law.law == CUBIC_BRANCH:\n"
            "        s = (e - z) * (e - z)\n"
            "        return 0.5 * law.stiffness * e * e + 0.25 * p[0] * s * s\n"
            "    if law.law == BACKLASH:\n        x = beyond",
        ),
        (
            "    return law.parameter[0] / law.parameter[1]\n",
            "    if law.law == CUBIC_BRANCH:\n        return 1.0 / law.parameter[1]\n"
            "    return law.parameter[0] / law.parameter[1]\n",
        ),
        (
            "    return law.parameter[1] * rate * rate if",
            "    if law.law == CUBIC_BRANCH:\n"
            "        s = law.parameter[1] * rate\n        return law.parameter[0] * s * s * s * rate\n"
            "    return law.parameter[1] * rate * rate if",
        ),
    ],
    "scenario/records/laws.py": [
        (
            "class LawBacklash(Record):",
            "class LawCubicBranch(Record):\n"
            '    """A spring beside a branch whose force is the cube of its stretch; the branch relaxes."""\n\n'
            '    law: Literal["cubic-branch"]\n'
            '    stiffness: NonNegative = quantity("long-term stiffness", "N/m or N m/rad")\n'
            '    branch: Positive = quantity("force of the branch over the cube of its stretch", "N/m^3")\n'
            '    relaxation: Positive = quantity("relaxation time", "s")\n'
            '    free: Number = quantity("coordinate at which the spring is relaxed", "m or rad", 0.0)\n\n'
            "    def numbers(self) -> Numbers:\n"
            '        """Return the law as numbers."""\n'
            "        return Numbers(self.stiffness, 0.0, (self.branch, self.relaxation))\n\n\n"
            "class LawBacklash(Record):",
        ),
        (
            '    | Annotated[LawBacklash, Tag("backlash")],',
            '    | Annotated[LawCubicBranch, Tag("cubic-branch")]\n    | Annotated[LawBacklash, Tag("backlash")],',
        ),
    ],
}
MISTAKE = (
    "dynamics/forces/laws.py",
    "return law.parameter[0] * s * s * s * rate",
    "return law.parameter[0] * s * s * rate",
)


def check():
    """Force, stiffness and loss are slopes of the energy; runs balance; the motion is scipy's; it rests relaxed."""
    import numpy as np
    from scipy.integrate import solve_ivp

    import taut
    from taut.dynamics.forces import laws
    from taut.model.laws import LAWS, LawKind

    spring = {"law": "cubic-branch", "stiffness": 30.0, "branch": 4e4, "relaxation": 0.05, "free": 0.1}
    machine = taut.Machine("cubic", gravity=[0, 0, -9.81]).run(duration=0.2, save_every=0.1, tolerance=1e-8)
    joint = {"kind": "prismatic", "axis": [0, 0, -1], "position": 0.1, "velocity": 0.6, "spring": spring}
    machine.body("mass", mass=1.0, joint=joint)
    model = taut.build(machine)
    row, e, z, step = model.tables.columns[0], 0.07, 0.02, 1e-20j
    slope = laws.spring_energy(row, e + step, z + 0j).imag / 1e-20
    assert np.isclose(laws.spring_force(row, e, z), -slope, rtol=1e-13)
    assert np.isclose(laws.spring_force(row, e, z), LAWS[LawKind.CUBIC_BRANCH].force(30.0, row.parameter, e, z))
    stiffness = -laws.spring_force(row, e + step, z + 0j).imag / 1e-20
    assert np.isclose(laws.tangent_stiffness(row, e, z), stiffness, rtol=1e-13)
    rate = laws.state_rate(row, e, z)
    lost = -laws.spring_energy(row, e + 0j, z + step).imag / 1e-20 * rate
    assert np.isclose(laws.state_loss(row, rate), lost, rtol=1e-12)

    def rates(_, y):
        return y[1], 9.81 - 30.0 * (y[0] - 0.1) - 4e4 * (y[0] - 0.1 - y[2]) ** 3, (y[0] - 0.1 - y[2]) / 0.05

    exact = solve_ivp(rates, (0.0, 0.2), [0.1, 0.6, 0.0], rtol=1e-11, atol=1e-12).y[0, -1]
    ways = (("radau", {}, 1e-6), ("explicit", {}, 1e-6), ("generalized-alpha", {"step": 5e-4, "tolerance": 1e-5}, 1e-4))
    for name, settings, error in ways:
        result = taut.simulate(model, integrator=name, **settings)
        assert result.ok, (name, result.audit["reasons"])
        assert abs(-result["body_position"].values[-1, 0, 2] - exact) < error, name
    assert abs(-taut.statics(model).bodies["mass"]["position"][2] - 0.1 - 9.81 / 30.0) < 1e-8


if __name__ == "__main__":
    check()
