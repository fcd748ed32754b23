"""Ritz cables: assumed modes of a vertical cable of varying length l(t), as one block of coordinates [Wang2018].

With xi = y/l (y down from the exit), shapes eta_j (``build.cables.ritz_integrals``) and the exit displaced by e(t),
    u = e_down + sum q_j eta_j,   theta = sum phi_j eta_j,   w = (1 - xi) e + sum p_j eta_j  (along x and y)         (1)
are displacement down, turn about the vertical and lateral displacements. Material enters at the exit with v = l':
D/Dt = d/dt + (v/l)(1 - xi) d/dxi. A field of line density m and coordinates f needs
    m l f'' + 2 m v B f' + (m a B - m v^2/l G) f                                                            (2)
for the accelerations of its material, and, for the rest of Eq. (1), rho l (a + e_down'') I along the cable and
    rho (l e'' - a e - 2 v (e' - v e/l)) b                                                                   (3)
across it. Strain eps = u_y and twist theta_y are measured from a state of tension T_c = T_e + rho g (l - y) and torque
M_c = Q23/Q1 T_c. The potential int T_c eps + Q1 eps^2/2 + Q23 eps theta_y + Q4 theta_y^2/2 + M_c theta_y dy gives
    Q1/l D q + Q23/l D phi + T_e E (the weight taken off),   Q4/l D phi + Q23/l D q + Q23/Q1 (T_e E + rho g l I)     (4)
and int T_c w_y^2/2 dy, the lateral stiffness by the static tension,
    (T_e/l D + rho g H) p - e/l (T_e E + rho g l I);                                                          (5)
``ritz_tension`` has what the actual tension adds. Material damping: c/l D on the rates.                            (6)

Columns: (q_1, phi_1, q_2, phi_2, ...), lateral x, lateral y. They move the end point down, turn it, move it across.
"""

from taut.dynamics.modal.ritz_tension import actual_needs, mean_slopes, mean_strain
from taut.kernels.jit import block, only_with, part
from taut.kernels.rotations import rotated_about
from taut.kernels.vec3 import load3, store3
from taut.model.tables import AREA, END, LEAN, SQUARE_K

UP = (0.0, 0.0, 1.0)


@part
def cable_length(cable, signals):
    """Length of a Ritz cable, with its rate and second rate."""
    if cable.feed < 0:
        return cable.length, 0.0, 0.0
    own = cable.length
    return own * signals[cable.feed, 0], own * signals[cable.feed, 1], own * signals[cable.feed, 2]


@part
def excitation(cable, signals, k):
    """Displacement of the exit along world axis k, its rate and second rate."""
    j = cable.signal[k]
    if j < 0:
        return 0.0, 0.0, 0.0
    return signals[j, 0], signals[j, 1], signals[j, 2]


@part
def stride(cable):
    """Distance in columns from one longitudinal coordinate to the next."""
    return 2 if cable.has_torsion else 1


@part
def lateral_column(model, cable, k):
    """First lateral column along x (k = 0) or y (k = 1)."""
    return model.nodes[cable.node].column + stride(cable) * cable.modes + k * cable.lateral


@only_with("ritz", otherwise=lambda model, data, cable, R, x: (R, x))
@block
def place_ritz(model, data, cable, R, x):
    """Frame of the end, and the axes of the columns, from the frame at the exit."""
    shapes, columns, q = model.shapes, data.columns, data.q
    node = model.nodes[cable.node]
    c, i, step = node.column, node.coordinate, stride(cable)
    zero = 0.0 * q[i]
    down, turn, side, across = zero, zero, zero, zero
    # Eq. (1) at xi = 1; displacement and turn count downwards, hence the minus sign of the axes
    for j in range(cable.modes):
        E = shapes[cable.axial_shape + j, END]
        store3(columns[c].s, (0.0, 0.0, -E))
        down += E * q[i]
        if cable.has_torsion:
            store3(columns[c + 1].s, (0.0, 0.0, -E))
            turn += E * q[i + 1]
        c += step
        i += step
    n = cable.lateral
    for j in range(n):
        E = shapes[cable.lateral_shape + j, END]
        store3(columns[c + j].s, (E, 0.0, 0.0))
        store3(columns[c + n + j].s, (0.0, E, 0.0))
        side += E * q[i + j]
        across += E * q[i + n + j]
    # the exit moves the end along the cable only: across it, 1 - xi vanishes at the end
    x = (x[0] + side, x[1] + across, x[2] + excitation(cable, data.signals, 2)[0] - down)
    x = (x[0], x[1], x[2] - cable_length(cable, data.signals)[0])
    # first order in the turn, for machines with small rotations
    if cable.is_linear:
        return (
            R[0] + zero,
            turn,
            R[2] + zero,
            -turn,
            R[4] + zero,
            R[5] + zero,
            R[6] + zero,
            R[7] + zero,
            R[8] + zero,
        ), x
    return rotated_about(R, UP, -turn), x


@only_with("ritz", otherwise=lambda model, data, cable: (load3(data.nodes[0].x), load3(data.nodes[0].x)))
@part
def ritz_drive(model, data, cable):
    """Velocity of the end beside that of its coordinates, and its rate: the length and the exit's motion."""
    zero = 0.0 * data.nodes[0].x[0]
    _, rate, second = cable_length(cable, data.signals)
    _, lift_rate, lift_second = excitation(cable, data.signals, 2)
    return (zero, zero, lift_rate - rate + zero), (zero, zero, lift_second - second + zero)


@only_with("ritz", otherwise=lambda model, data, cable, acceleration: None)
@block
def ritz_needs(model, data, cable, acceleration):
    """What the columns need, into data.own: accelerations of the material, stiffness, damping, Eqs. (2)-(6)."""
    motion = cable_length(cable, data.signals)
    axial_needs(model, data, cable, acceleration, motion)
    if cable.lateral > 0:
        lateral_needs(model, data, cable, acceleration, motion)
        for k in range(2):
            lateral_loads(model, data, cable, k, motion)
        if cable.is_actual:
            actual_needs(model, data, cable, motion[0])
    node = model.nodes[cable.node]
    for c in range(node.column, node.column + node.column_count):
        data.columns[c].acceleration = acceleration[c]


@part
def axial_needs(model, data, cable, acceleration, motion):
    """Forces of the longitudinal and torsional fields, Eqs. (2), (4), (6)."""
    shapes, q, v = model.shapes, data.q, data.v
    node = model.nodes[cable.node]
    length, rate, second = motion
    step, c, i = stride(cable), node.column, node.coordinate
    weight = -cable.line_density * model.settings[0].gravity[2] * length
    # a + e_down'', the acceleration down that the whole cable shares
    fall = second - (excitation(cable, data.signals, 2)[2] if cable.is_carried else 0.0)
    rho, spin = cable.line_density, cable.turn_inertia
    lay = cable.coupling / cable.axial_stiffness
    along, around = data.shape_work[0], data.shape_work[1]
    axial_flow(model, data, cable, motion)
    for j in range(cable.modes):
        shape = shapes[cable.axial_shape + j]
        # Eqs. (2), (4), (6) for displacement and, with the lay coupling, for the turn
        bend = shape[SQUARE_K] / length
        force = rho * length * (acceleration[c] + fall * shape[AREA]) + cable.tension * shape[END]
        force += bend * (cable.axial_stiffness * q[i] + cable.axial_damping * v[c]) + rho * along[j]
        if cable.has_torsion:
            force += bend * cable.coupling * q[i + 1]
            torque = spin * (length * acceleration[c + 1] + around[j])
            torque += bend * (cable.turn_stiffness * q[i + 1] + cable.turn_damping * v[c + 1] + cable.coupling * q[i])
            torque += lay * (cable.tension * shape[END] + weight * shape[AREA])
            data.own[c + 1] = torque
        data.own[c] = force
        c += step
        i += step


@part
def axial_flow(model, data, cable, motion):
    """2 v B f' + a B f - v^2/l G f of both fields into shape_work.

    Sums run over columns, so that they vectorise, two rows at a time, so that they are loaded and stored half as often.
    """
    B, G, q, v = model.shapes_B, model.shapes_G, data.q, data.v
    along, around = data.shape_work[0], data.shape_work[1]
    node = model.nodes[cable.node]
    length, rate, second = motion
    n, step = cable.modes, stride(cable)
    for j in range(n):
        along[j] = 0.0
        around[j] = 0.0
    # at constant length no material flows
    if rate == 0.0 and second == 0.0:
        return
    flow = -rate * rate / length
    for k in range(0, n, 2):
        m, last = next_row(k, n)
        c, d = node.column + step * k, node.column + step * m
        i, e = node.coordinate + step * k, node.coordinate + step * m
        # Eq. (2): what multiplies rows k and m of B and G
        b, g = 2.0 * rate * v[c] + second * q[i], flow * q[i]
        b_m, g_m = last * (2.0 * rate * v[d] + second * q[e]), last * flow * q[e]
        B_k, G_k = B[cable.axial_shape + k], G[cable.axial_shape + k]
        B_m, G_m = B[cable.axial_shape + m], G[cable.axial_shape + m]
        for j in range(n):
            along[j] += B_k[j] * b + G_k[j] * g + B_m[j] * b_m + G_m[j] * g_m
        if cable.has_torsion:
            b, g = 2.0 * rate * v[c + 1] + second * q[i + 1], flow * q[i + 1]
            b_m, g_m = last * (2.0 * rate * v[d + 1] + second * q[e + 1]), last * flow * q[e + 1]
            for j in range(n):
                around[j] += B_k[j] * b + G_k[j] * g + B_m[j] * b_m + G_m[j] * g_m


@part
def next_row(k, n):
    """The row after k and its weight, which is zero past the last row."""
    return (k + 1, 1.0) if k + 1 < n else (k, 0.0)


@part
def lateral_needs(model, data, cable, acceleration, motion):
    """Forces of both lateral fields, Eqs. (2), (5), (6), less what the excitation loads them with."""
    shapes, q, v = model.shapes, data.q, data.v
    length, _, _ = motion
    n, rho = cable.lateral, cable.line_density
    c = lateral_column(model, cable, 0)
    i = model.nodes[cable.node].coordinate + c - model.nodes[cable.node].column
    side, across = data.shape_work[0], data.shape_work[1]
    lateral_flow(model, data, cable, motion)
    for j in range(n):
        # Eqs. (2), (5), (6); the terms of the flow and of gravity, g H, are in side and across already
        bend = shapes[cable.lateral_shape + j, SQUARE_K] / length
        x = rho * length * acceleration[c] + bend * (cable.tension * q[i] + cable.lateral_damping * v[c])
        y = rho * length * acceleration[c + n]
        y += bend * (cable.tension * q[i + n] + cable.lateral_damping * v[c + n])
        data.own[c] = x + rho * side[j]
        data.own[c + n] = y + rho * across[j]
        c += 1
        i += 1


@part
def lateral_flow(model, data, cable, motion):
    """2 v B f' + (a B - v^2/l G + g H) f of both lateral fields, summed as in ``axial_flow``."""
    B, G, H, q, v = model.shapes_B, model.shapes_G, model.shapes_H, data.q, data.v
    side, across = data.shape_work[0], data.shape_work[1]
    length, rate, second = motion
    n = cable.lateral
    c0 = lateral_column(model, cable, 0)
    i0 = model.nodes[cable.node].coordinate + c0 - model.nodes[cable.node].column
    gravity, flow = -model.settings[0].gravity[2], -rate * rate / length
    is_flowing = rate != 0.0 or second != 0.0
    for j in range(n):
        side[j] = 0.0
        across[j] = 0.0
    for k in range(0, n, 2):
        m, last = next_row(k, n)
        x, y, x_m, y_m = q[i0 + k], q[i0 + n + k], last * q[i0 + m], last * q[i0 + n + m]
        H_k, H_m = H[cable.lateral_shape + k], H[cable.lateral_shape + m]
        # g H, the share of the weight in the lateral stiffness, also acts at constant length
        for j in range(n):
            here, beside = gravity * H_k[j], gravity * H_m[j]
            side[j] += here * x + beside * x_m
            across[j] += here * y + beside * y_m
        # Eq. (2)
        if is_flowing:
            B_k, G_k = B[cable.lateral_shape + k], G[cable.lateral_shape + k]
            B_m, G_m = B[cable.lateral_shape + m], G[cable.lateral_shape + m]
            c, d = c0 + k, c0 + m
            b, b_m = 2.0 * rate * v[c] + second * x, 2.0 * last * rate * v[d] + second * x_m
            for j in range(n):
                side[j] += B_k[j] * b + B_m[j] * b_m + flow * (G_k[j] * x + G_m[j] * x_m)
            b, b_m = 2.0 * rate * v[c + n] + second * y, 2.0 * last * rate * v[d + n] + second * y_m
            for j in range(n):
                across[j] += B_k[j] * b + B_m[j] * b_m + flow * (G_k[j] * y + G_m[j] * y_m)


@part
def lateral_loads(model, data, cable, k, motion):
    """Forces by the exit's lateral motion along axis k, Eqs. (3), (5)."""
    shapes = model.shapes
    if cable.signal[k] < 0:
        return
    length, rate, second = motion
    e, e_rate, e_second = excitation(cable, data.signals, k)
    inertia = length * e_second - second * e - 2.0 * rate * (e_rate - rate * e / length)
    weight = -cable.line_density * model.settings[0].gravity[2]
    c = lateral_column(model, cable, k)
    for j in range(cable.lateral):
        shape = shapes[cable.lateral_shape + j]
        load = cable.tension * shape[END] + weight * length * shape[AREA]
        data.own[c + j] += cable.line_density * inertia * shape[LEAN] - e / length * load


@part
def lateral_stiffness(model, data, cable, length, k):
    """T + Q1 w_y^2, means along the cable: what multiplies D/l beside rho g H in the Newton matrix."""
    tension = cable.tension + 0.0 * data.q[0]
    if cable.is_actual:
        strain, twist = mean_strain(model, data, cable, length)
        slope_x, slope_y = mean_slopes(model, data, cable, length)
        strain += 0.5 * (slope_x + slope_y)
        tension += cable.axial_stiffness * (strain + (slope_x if k == 0 else slope_y)) + cable.coupling * twist
        # a slack cable must not make the matrix indefinite
        least = 0.05 * cable.tension
        tension = tension if tension.real > least else least + 0.0 * tension
    return tension


@only_with("ritz", otherwise=lambda model, data, factor, cable, c_D, c_K: 0.0)
@block
def fill_ritz(model, data, factor, cable, c_D, c_K):
    """Newton matrix: diagonals, the coupling of strain and twist, and of neighbours across; returns the mass.

    The rest of B, G and H, and what couples leaning and stretching, are small beside these.
    """
    length, rate, second = cable_length(cable, data.signals)
    rho, spin = cable.line_density, cable.turn_inertia
    step = stride(cable)
    node = model.nodes[cable.node]
    at = node.band
    flow = rate * rate / length
    for j in range(cable.modes):
        bend = model.shapes[cable.axial_shape + j, SQUARE_K] / length
        # B is one half on its diagonal
        kinetic = length + c_D * rate + c_K * (0.5 * second - flow * model.shapes_G[cable.axial_shape + j, j])
        stiff = c_D * cable.axial_damping + c_K * cable.axial_stiffness
        factor.band[at] = rho * kinetic + bend * stiff
        factor.band[at + 1] = 0.0
        if cable.has_torsion:
            stiff = c_D * cable.turn_damping + c_K * cable.turn_stiffness
            factor.band[at + 2] = spin * kinetic + bend * stiff
            factor.band[at + 3] = c_K * bend * cable.coupling
        at += 2 * step
    weight = -rho * model.settings[0].gravity[2]
    for k in range(2):
        tension = 0.0 * data.q[0]
        if cable.lateral > 0:
            tension = lateral_stiffness(model, data, cable, length, k)
        for j in range(cable.lateral):
            G_j, H_j = model.shapes_G[cable.lateral_shape + j], model.shapes_H[cable.lateral_shape + j]
            bend = model.shapes[cable.lateral_shape + j, SQUARE_K] / length
            kinetic = length + c_D * rate + c_K * (0.5 * second - flow * G_j[j])
            stiff = c_D * cable.lateral_damping + c_K * tension
            factor.band[at] = rho * kinetic + bend * stiff + c_K * weight * H_j[j]
            factor.band[at + 1] = 0.0
            if j > 0:
                beside = weight * H_j[j - 1] - rho * flow * G_j[j - 1]
                factor.band[at + 1] = c_K * beside
            at += 2
    for c in range(node.column, node.column + node.column_count):
        for k in range(3):
            factor.columns[c].U_N[k] = 0.0
            factor.columns[c].U_F[k] = 0.0
    return rho * length
