"""A mass on a spring and damper along the z axis of its base, as "Add a modal node" says."""

BOUNCER = '''"""A mass on a spring and damper along the z axis of its base: numbers m, k, d in ``model.modal``."""

from taut.kernels.jit import block, only_with
from taut.kernels.mat3 import column
from taut.kernels.vec3 import axpy3, dot3, scale3, store3
from taut.model.joints import JointKind

BOUNCER = int(JointKind.BOUNCER)


@only_with("modal", otherwise=lambda model, data, node, R, x: x)
@block
def place_bouncer(model, data, node, R, x):
    """The column's axis, and where the mass is."""
    s = column(R, 2)
    store3(data.columns[node.column].s, s)
    return axpy3(data.q[node.coordinate], s, x)


@only_with("modal", otherwise=lambda model, data, node, x, R, base: base)
@block
def bouncer_inertia(model, data, node, x, R, base):
    """Force on the base, and what the column needs, for accelerations alone."""
    s, m = column(R, 2), model.modal[node.modal]
    a = axpy3(x[node.column], s, base)
    data.own[node.column] = m * dot3(s, a)
    return scale3(m, a)


@only_with("modal", otherwise=lambda model, data, node, acceleration, R, base: base)
@block
def bouncer_needs(model, data, node, acceleration, R, base):
    """The same with its spring and damper."""
    force = bouncer_inertia(model, data, node, acceleration, R, base)
    k, d = model.modal[node.modal + 1], model.modal[node.modal + 2]
    data.own[node.column] += k * data.q[node.coordinate] + d * data.v[node.column]
    return force


@only_with("modal", otherwise=lambda model, factor, node, R, c_D, c_K: 0.0)
@block
def fill_bouncer(model, factor, node, R, c_D, c_K):
    """m + c_D d + c_K k, the coupling with the base, and the mass."""
    m, k, d = model.modal[node.modal], model.modal[node.modal + 1], model.modal[node.modal + 2]
    factor.band[node.band] = m + c_D * d + c_K * k
    store3(factor.columns[node.column].U_F, scale3(m, column(R, 2)))
    return m


@only_with("modal", otherwise=lambda model, data, node, R, x, v, g: (0.0 * x[0], 0.0 * x[0], 0.0 * x[0], 0.0 * x[0]))
@block
def bouncer_energies(model, data, node, R, x, v, g):
    """Kinetic, gravity and elastic energy, and the power lost."""
    m, k, d = model.modal[node.modal], model.modal[node.modal + 1], model.modal[node.modal + 2]
    q, rate = data.q[node.coordinate], data.v[node.column]
    speed = axpy3(rate, column(R, 2), v)
    return 0.5 * m * dot3(speed, speed), -m * dot3(g, axpy3(q, column(R, 2), x)), 0.5 * k * q * q, d * rate * rate
'''
EDITS = {
    "model/joints.py": [
        ("    REDUCED = 18", "    BOUNCER = 20  # modal: a mass on a spring along z\n    REDUCED = 18"),
        ("JointKind.RITZ, JointKind.REDUCED})", "JointKind.RITZ, JointKind.REDUCED, JointKind.BOUNCER})"),
    ],
    "dynamics/bouncer.py": BOUNCER,
    "dynamics/modal/nodes.py": [
        (
            "from taut.dynamics.tree.joints import",
            "from taut.dynamics.bouncer import (\n    BOUNCER,\n    bouncer_energies,\n    bouncer_inertia,\n"
            "    bouncer_needs,\n    fill_bouncer,\n    place_bouncer,\n)\nfrom taut.dynamics.tree.joints import",
        ),
        (
            "    return R, place_modal(",
            "    if node.kind == BOUNCER:\n        return R, place_bouncer(model, data, node, R, x)\n"
            "    return R, place_modal(",
        ),
        (
            "        else:\n            F = modal_needs(",
            "        elif node.kind == BOUNCER:\n"
            "            F = bouncer_needs(model, data, node, acceleration, R, load3(parent.a))\n"
            "        else:\n            F = modal_needs(",
        ),
        (
            "    else:\n        F = modal_inertia(",
            "    elif node.kind == BOUNCER:\n        F = bouncer_inertia(model, data, node, x, R, load3(parent.a))\n"
            "    else:\n        F = modal_inertia(",
        ),
        (
            "    return fill_modal(",
            "    if node.kind == BOUNCER:\n        return fill_bouncer(model, factor, node, R, c_D, c_K)\n"
            "    return fill_modal(",
        ),
        (
            "        else:\n            T, V, U, _ = modal_energies(",
            "        elif node.kind == BOUNCER:\n"
            "            T, V, U, _ = bouncer_energies(model, data, node, R, x, load3(parent.v), g)\n"
            "        else:\n            T, V, U, _ = modal_energies(",
        ),
        (
            "            total += reduced_loss(model.reduced, node, data.v)\n",
            "            total += reduced_loss(model.reduced, node, data.v)\n"
            "        elif node.kind == BOUNCER:\n"
            "            total += model.modal[node.modal + 2] * data.v[node.column] ** 2\n",
        ),
    ],
}
MISTAKE = ("dynamics/bouncer.py", "factor.band[node.band] = m + c_D * d", "factor.band[node.band] = m + c_D * k")
MASS, STIFFNESS, DAMPING = 0.7, 90.0, 0.3


def models():
    """The node on a sliding base, as a tree and as a modal node."""
    import numpy as np

    from taut.build.tree import ColumnSpec, ModalSpec, RigidBody, Spring, TreeBuilder
    from taut.model.enums import JointKind, LawKind

    for is_modal in (False, True):
        builder = TreeBuilder(gravity=(0.5, 0.0, -9.81))
        base = builder.add_node("base", JointKind.POINT, 0, RigidBody(0.9))
        place = {"offset": (0.1, 0.2, 0.3), "rotation": np.array([[0.6, 0, 0.8], [0, 1, 0], [-0.8, 0, 0.6]])}
        if is_modal:
            modal = ModalSpec((False,), ("z",), 0, np.array([MASS, STIFFNESS, DAMPING]))
            builder.add_node("tip", JointKind.BOUNCER, base, modal=modal, **place)
        else:
            spring = ColumnSpec(Spring(LawKind.LINEAR, STIFFNESS, DAMPING))
            builder.add_node("tip", JointKind.STRETCH, base, RigidBody(MASS), columns=[spring], **place)
        yield builder.finish()


def check():
    """The modal node behaves as the same machine built as a tree."""
    import numpy as np

    from engine import jump_defect, placed
    from taut.dynamics.energy import dissipated_power, elastic_energy, gravity_energy, kinetic_energy
    from taut.dynamics.forward import forward
    from taut.dynamics.residual import factor_newton, residual, solve_newton
    from taut.model import new_factor

    found = []
    for model in models():
        data, factor, n = placed(model), new_factor(model), model.column_count
        data.q[:], data.v[:] = (0.1, -0.2, 0.3, 0.15), (1.0, -0.5, 0.2, 0.7)
        forward(model.tables, data, factor)
        needed, step = np.zeros(n), np.arange(1.0, n + 1.0)
        residual(model.tables, data, step, np.zeros(0), needed)
        factor_newton(model.tables, data, factor, 0.01, 0.002)
        x, jump = np.zeros(n), np.arange(1.0, n + 1.0)
        solve_newton(model.tables, data, factor, step, np.zeros(0), x, np.zeros(0))
        energies = [f(model.tables, data) for f in (kinetic_energy, gravity_energy, elastic_energy, dissipated_power)]
        place = data.nodes[2].x
        found.append([*data.acceleration, *needed, *x, *energies, *place, *jump_defect(model, data, jump, np.zeros(0))])
    assert np.allclose(*found, rtol=1e-11, atol=1e-11), np.stack(found)


if __name__ == "__main__":
    check()
