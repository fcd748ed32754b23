"""A ball that slides on a rail: one translation and a quaternion, as "Add a joint" says."""

EDITS = {
    "model/joints.py": [
        ("    REDUCED = 18", "    RAIL_BALL = 20  # T R R R, along axis_1 and a quaternion\n    REDUCED = 18"),
        (
            "    JointKind.POINT: ",
            '    JointKind.RAIL_BALL: JointDefinition((Move("slide", "axis_1"), Move("ball")),\n'
            '                                         ("along", "rx", "ry", "rz"), "rail-ball"),\n'
            "    JointKind.POINT: ",
        ),
    ],
    "dynamics/tree/kinematics.py": [
        ("\n\n@kernel\ndef kinematics", "\nRAIL_BALL = int(joints.JointKind.RAIL_BALL)\n\n\n@kernel\ndef kinematics"),
        (
            "    elif kind == joints.PLANAR:",
            "    elif kind == RAIL_BALL:\n"
            "        x = joints.slide(R, x, load3(node.axis_1), q[k], cols[c])\n"
            "        turn = (q[k + 1], q[k + 2], q[k + 3], q[k + 4])\n"
            "        R = joints.turn_by_quaternion(R, turn, cols[c + 1], cols[c + 2], cols[c + 3])\n"
            "    elif kind == joints.PLANAR:",
        ),
    ],
    "scenario/records/joint.py": [
        ('"free", "point"]', '"free", "point", "rail-ball"]'),
        ('DEFAULT_AXIS = {"revolute"', 'DEFAULT_AXIS = {"rail-ball": (1.0, 0.0, 0.0), "revolute"'),
    ],
}
MISTAKE = ("dynamics/tree/kinematics.py", "turn = (q[k + 1], q[k + 2]", "turn = (q[k + 1], -q[k + 2]")


def check():
    """The joint is what its definition says, in a tree of all joints and in runs by three methods."""
    import numpy as np

    import taut
    from engine import placed
    from machines import ALL_JOINTS, random_tree
    from reference import dynamics as reference
    from taut.dynamics.tree.mass_matrix import mass_matrix
    from taut.model import new_factor
    from taut.model.joints import JointKind

    assert JointKind.RAIL_BALL in ALL_JOINTS
    model = random_tree(np.random.default_rng(3), 4, (JointKind.RAIL_BALL, JointKind.REVOLUTE))
    data, M = placed(model), np.zeros((model.column_count, model.column_count))
    mass_matrix(model.tables, data, new_factor(model), M)
    np.testing.assert_allclose(M, reference.mass_matrix(model.tables, data.q, data.signals), rtol=1e-11, atol=1e-12)

    joint = {"kind": "rail-ball", "axis": [1, 0, 0.2], "position": [0.1, 0.9, 0.2, 0.1, 0.3],
             "velocity": [0.4, 1.0, 0.5, -0.3], "spring": [{"stiffness": 20.0}, None, None, None]}  # fmt: skip
    machine = taut.Machine("rail").run(duration=0.06, save_every=0.02, tolerance=1e-6)
    machine.body("bob", mass=1.0, com=[0, 0.1, -0.5], inertia=[0.02, 0.03, 0.01], joint=joint)
    model = taut.build(machine)
    ends = []
    for name in ("radau", "explicit", "generalized-alpha"):
        result = taut.simulate(model, integrator=name)
        assert result.ok, (name, result.audit["reasons"])
        ends.append(result["body_position"].values[-1])
    assert np.ptp(ends, axis=0).max() < 1e-5 and len(model.coordinate_names) == 5


if __name__ == "__main__":
    check()
