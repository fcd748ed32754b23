"""The actual tension in a Ritz cable's lateral motion: the strain of a cable that also leans, energy-consistent.

With kappa = (w_x'^2 + w_y'^2)/2 (von Karman) the strain is eps = u_y + kappa. The potential of ``ritz`` then has beside
T_c kappa, which is there already,
    U = int Q1 (u_y kappa + kappa^2/2) + Q23 kappa theta_y dy                                                 (1)
whose gradient is, with tau = Q1 eps + Q23 theta_y the tension beyond T_c,
    int Q1 kappa eta_j' dxi  on q_j,   int Q23 kappa eta_j' dxi  on phi_j,   int tau w' eta_j' dxi  on p_j.        (2)
The integrals are sums over Gauss points, the same in energy and forces.
"""

from taut.kernels.jit import block, kernel, part
from taut.model.tables import END, SQUARE_K


@part
def fields_at(model, data, cable, length, point):
    """u_y, theta_y, w_x', w_y' at a point of the quadrature."""
    slopes, q = model.shape_slopes[point], data.q
    i0 = model.nodes[cable.node].coordinate
    step = 2 if cable.has_torsion else 1
    zero = 0.0 * q[i0]
    strain, twist = zero, zero
    for j in range(cable.modes):
        strain += slopes[cable.axial_shape + j] * q[i0 + step * j]
        if cable.has_torsion:
            twist += slopes[cable.axial_shape + j] * q[i0 + step * j + 1]
    x, y = zero, zero
    # the exit's displacement e tilts the whole cable: w = (1 - xi) e has the slope -e
    if cable.signal[0] >= 0:
        x -= data.signals[cable.signal[0], 0]
    if cable.signal[1] >= 0:
        y -= data.signals[cable.signal[1], 0]
    i = i0 + step * cable.modes
    for j in range(cable.lateral):
        x += slopes[cable.lateral_shape + j] * q[i + j]
        y += slopes[cable.lateral_shape + j] * q[i + cable.lateral + j]
    # slopes are by xi = y/l; strains are by y
    return strain / length, twist / length, x / length, y / length


@block
def actual_needs(model, data, cable, length):
    """Add the gradient of the energy, Eq. (2), to data.own."""
    slopes, weights = model.shape_slopes, model.shape_weights
    c0 = model.nodes[cable.node].column
    step = 2 if cable.has_torsion else 1
    for point in range(len(weights)):
        strain, twist, x, y = fields_at(model, data, cable, length, point)
        kappa = 0.5 * (x * x + y * y)
        tau = cable.axial_stiffness * (strain + kappa) + cable.coupling * twist
        pull = weights[point] * cable.axial_stiffness * kappa
        turn = weights[point] * cable.coupling * kappa
        # Eq. (2) on the longitudinal and torsional coordinates
        for j in range(cable.modes):
            slope = slopes[point, cable.axial_shape + j]
            data.own[c0 + step * j] += pull * slope
            if cable.has_torsion:
                data.own[c0 + step * j + 1] += turn * slope
        # Eq. (2) on the lateral coordinates, with the tension at this point
        c = c0 + step * cable.modes
        for j in range(cable.lateral):
            slope = slopes[point, cable.lateral_shape + j]
            data.own[c + j] += weights[point] * tau * x * slope
            data.own[c + cable.lateral + j] += weights[point] * tau * y * slope


@kernel
def actual_energy(model, data, cable, length):
    """Energy of the actual tension, Eq. (1), and its derivatives by the length and by the exit's displacements."""
    weights = model.shape_weights
    zero = 0.0 * data.q[0]
    energy, by_length, by_x, by_y = zero, zero, zero, zero
    for point in range(len(weights)):
        strain, twist, x, y = fields_at(model, data, cable, length, point)
        kappa = 0.5 * (x * x + y * y)
        second = (cable.axial_stiffness * strain + cable.coupling * twist) * kappa
        third = 0.5 * cable.axial_stiffness * kappa * kappa
        tau = cable.axial_stiffness * (strain + kappa) + cable.coupling * twist
        energy += weights[point] * length * (second + third)
        # strain and slopes fall with 1/l, kappa with its square, while dy grows with l
        by_length -= weights[point] * (2.0 * second + 3.0 * third)
        by_x -= weights[point] * tau * x
        by_y -= weights[point] * tau * y
    return energy, by_length, by_x, by_y


@part
def mean_strain(model, data, cable, length):
    """Means of u_y and theta_y along the cable."""
    shapes, q = model.shapes, data.q
    i0 = model.nodes[cable.node].coordinate
    step = 2 if cable.has_torsion else 1
    strain, twist = 0.0 * q[i0], 0.0 * q[i0]
    for j in range(cable.modes):
        strain += shapes[cable.axial_shape + j, END] * q[i0 + step * j]
        if cable.has_torsion:
            twist += shapes[cable.axial_shape + j, END] * q[i0 + step * j + 1]
    return strain / length, twist / length


@part
def mean_slopes(model, data, cable, length):
    """Means of w_x'^2 and w_y'^2 along the cable."""
    shapes, q, n = model.shapes, data.q, cable.lateral
    i0 = model.nodes[cable.node].coordinate + (2 if cable.has_torsion else 1) * cable.modes
    e_x = data.signals[cable.signal[0], 0] if cable.signal[0] >= 0 else 0.0
    e_y = data.signals[cable.signal[1], 0] if cable.signal[1] >= 0 else 0.0
    x, y = e_x * e_x + 0.0 * q[i0], e_y * e_y + 0.0 * q[i0]
    for j in range(n):
        p_x, p_y = q[i0 + j], q[i0 + n + j]
        shape = shapes[cable.lateral_shape + j]
        x += shape[SQUARE_K] * p_x * p_x - 2.0 * e_x * shape[END] * p_x
        y += shape[SQUARE_K] * p_y * p_y - 2.0 * e_y * shape[END] * p_y
    return x / (length * length), y / (length * length)
