"""Energies of Ritz cables, and the power that their prescribed lengths and excitations bring in.

A field of line density m and coordinates f, with c = e' - v e/l for a lateral one (else 0), has the kinetic energy
    m l/2 [f'.f' + 2 v/l f'.B f + (v/l)^2 f.G f + c^2/3 + 2 c b.f' + 4 c v/l b.f]                                (1)
and along the cable, whose material also moves as a whole with V = v + e_down',
    + rho l/2 [V^2 + 2 V I.(f' + v/l f)].                                                                       (2)
Of the material's velocity only sum f' eta is a virtual one. With the rest, r = V + (1 - xi)(c + v/l X'), X = f.eta, the
material that enters with the velocity at xi = 0, and energies U (elastic), W (weight) that depend on time by l and e,
    input power = m v |V_0|^2/2 + int m (D^2 X/Dt^2 + ...) r dy + dU/dt + dW/dt (f held) - F (v + e_down')           (3)
where F is the force down on the cable's end. The integrals of the material's acceleration (x = X'(0)) against
    1:            I.(f'' + 2 v/l f' + a/l f) - (v/l)^2 x                                                         (4)
    1 - xi:       b.(f'' + 4 v/l f' + 2 (a/l + v^2/l^2) f) - (v/l)^2 x                                           (5)
    (1 - xi) X':  f''.B f + 2 v/l f'.G f + (a/l - v^2/l^2/2) f.G f - (v/l)^2 x^2/2                               (6)
"""

from taut.dynamics.modal.ritz import cable_length, excitation, lateral_column, next_row, stride
from taut.dynamics.modal.ritz_tension import actual_energy, mean_slopes
from taut.kernels.jit import kernel, only_with, part
from taut.model.tables import AREA, END, LEAN, SQUARE_K, START_SLOPE


@only_with("ritz", otherwise=lambda model, data: 0.0 * data.nodes[0].x[0])
@kernel
def ritz_kinetic(model, data):
    """Kinetic energy of all Ritz cables."""
    total = 0.0 * data.nodes[0].x[0]
    for r in range(len(model.ritz)):
        cable = model.ritz[r]
        c = model.nodes[cable.node].column
        length, rate, _ = cable_length(cable, data.signals)
        step = stride(cable)
        total += field_energy(model, data, cable.line_density, axial_field(cable, c), (length, rate, 0.0))
        whole = rate + carried_rate(cable, data.signals)
        along = 0.0 * total
        i = model.nodes[cable.node].coordinate
        for j in range(cable.modes):
            area = model.shapes[cable.axial_shape + j, AREA]
            along += area * (data.v[c + step * j] + rate / length * data.q[i + step * j])
        total += 0.5 * cable.line_density * length * whole * (whole + 2.0 * along)  # Eq. (2)
        if cable.has_torsion:
            total += field_energy(model, data, cable.turn_inertia, axial_field(cable, c + 1), (length, rate, 0.0))
        if cable.lateral > 0:
            for k in range(2):
                e = excitation(cable, data.signals, k)
                field = lateral_field(model, cable, k)
                motion = (length, rate, e[1] - rate * e[0] / length)
                total += field_energy(model, data, cable.line_density, field, motion)
    return total


@part
def axial_field(cable, first):
    """Columns and shape functions of the longitudinal or torsional field that begins with a column."""
    return first, stride(cable), cable.modes, cable.axial_shape


@part
def lateral_field(model, cable, k):
    """Columns and shape functions of the lateral field along x (k = 0) or y (k = 1)."""
    return lateral_column(model, cable, k), 1, cable.lateral, cable.lateral_shape


@part
def carried_rate(cable, signals):
    """Rate down of the exit, where the cable is carried along."""
    return -excitation(cable, signals, 2)[1] if cable.is_carried else 0.0


@part
def field_energy(model, data, density, field, motion):
    """Kinetic energy of one field of a Ritz cable, Eq. (1)."""
    shapes, by_B, by_G = model.shapes, data.shape_work[0], data.shape_work[1]
    first, step, n, at = field
    length, rate, lean = motion
    # the integrals B and G enter only if the cable flows
    if rate != 0.0:
        field_products(model, data, field)
    shift = coordinate_shift(model, first)
    flow = rate / length
    total = lean * lean / 3.0 + 0.0 * data.q[0]
    for j in range(n):
        f_rate = data.v[first + step * j]
        f = data.q[first + shift + step * j]
        # Eq. (1), term by term
        total += f_rate * f_rate + 2.0 * lean * shapes[at + j, LEAN] * (f_rate + 2.0 * flow * f)
        if rate != 0.0:
            total += flow * (2.0 * by_B[j] * f_rate + flow * by_G[j] * f)
    return 0.5 * density * length * total


@part
def coordinate_shift(model, column):
    """Difference of a coordinate's and a column's number in one block."""
    node = model.nodes[model.columns[column].node]
    return node.coordinate - node.column


@only_with("ritz", otherwise=lambda model, data: 0.0 * data.nodes[0].x[0])
@kernel
def ritz_gravity(model, data):
    """Potential energy of the weight of all Ritz cables."""
    total = 0.0 * data.nodes[0].x[0]
    for r in range(len(model.ritz)):
        cable = model.ritz[r]
        length, _, _ = cable_length(cable, data.signals)
        weight = -cable.line_density * model.settings[0].gravity[2]
        lift = excitation(cable, data.signals, 2)
        total += weight * length * (cable.start[2] + lift[0] - 0.5 * length - mean_sink(model, data, cable))
    return total


@part
def mean_sink(model, data, cable):
    """I.q: mean of the modal displacement down."""
    i, step = model.nodes[cable.node].coordinate, stride(cable)
    sink = 0.0 * data.q[i]
    for j in range(cable.modes):
        sink += model.shapes[cable.axial_shape + j, AREA] * data.q[i + step * j]
    return sink


@only_with("ritz", otherwise=lambda model, data: 0.0 * data.nodes[0].x[0])
@kernel
def ritz_elastic(model, data):
    """Elastic energy against the state of tension T_c."""
    total = 0.0 * data.nodes[0].x[0]
    for r in range(len(model.ritz)):
        cable = model.ritz[r]
        total += elastic_parts(model, data, cable, cable_length(cable, data.signals)[0])[0]
    return total


@kernel
def elastic_parts(model, data, cable, length):
    """Elastic energy, and its derivatives by the length and by the exit's displacements along x and y."""
    shapes, q = model.shapes, data.q
    node, step = model.nodes[cable.node], stride(cable)
    i = node.coordinate
    weight = -cable.line_density * model.settings[0].gravity[2]
    zero = 0.0 * q[i]
    square, end, area = zero, zero, zero
    ratio = cable.coupling / cable.axial_stiffness
    # potential of ``ritz``, Eq. (4): a quadratic form by D, and the work of T_c and M_c by E and I
    for j in range(cable.modes):
        f = q[i + step * j]
        strain = cable.axial_stiffness * f * f
        if cable.has_torsion:
            turn = q[i + step * j + 1]
            strain += 2.0 * cable.coupling * f * turn + cable.turn_stiffness * turn * turn
            # M_c = Q23/Q1 T_c works on the twist as T_c does on the strain
            f += ratio * turn
        shape = shapes[cable.axial_shape + j]
        square += shape[SQUARE_K] * strain
        end += shape[END] * f
        area += shape[AREA] * f
    energy = cable.tension * end + weight * length * area + 0.5 * square / length
    by_length = weight * area - 0.5 * square / (length * length)
    by_x, by_y = zero, zero
    if cable.lateral > 0:
        # Eq. (5) of ``ritz``: static tension T_e, then weight, on the lateral slopes
        slopes = mean_slopes(model, data, cable, length)
        tight = 0.5 * cable.tension * (slopes[0] + slopes[1])
        energy += length * tight
        by_length -= tight
        hang_x, lean_x, by_x = lateral_parts(model, data, cable, length, 0)
        hang_y, lean_y, by_y = lateral_parts(model, data, cable, length, 1)
        energy += weight * (hang_x + hang_y)
        by_x += weight * lean_x
        by_y += weight * lean_y
        if cable.is_actual:
            more = actual_energy(model, data, cable, length)
            energy += more[0]
            by_length += more[1]
            by_x += more[2]
            by_y += more[3]
    return energy, by_length, by_x, by_y


@part
def lateral_parts(model, data, cable, length, k):
    """int (1 - xi) w_xi^2/2, its derivative by e, and the derivative by e of T_e int w_xi^2/(2 l)."""
    shapes, H, q, n = model.shapes, model.shapes_H, data.q, cable.lateral
    e = excitation(cable, data.signals, k)[0]
    c = lateral_column(model, cable, k)
    i = c + coordinate_shift(model, c)
    square, end, area = 0.0 * q[i], 0.0 * q[i], 0.0 * q[i]
    by_H = data.shape_work[0]
    for j in range(n):
        by_H[j] = 0.0
    # H p, summed over columns so that it vectorises
    for m in range(n):
        f, H_m = q[i + m], H[cable.lateral_shape + m]
        for j in range(n):
            by_H[j] += H_m[j] * f
    for j in range(n):
        p = q[i + j]
        end += shapes[cable.lateral_shape + j, END] * p
        area += shapes[cable.lateral_shape + j, AREA] * p
        square += by_H[j] * p
    # w_xi = -e + sum p_j eta_j', squared and integrated
    hang = 0.25 * e * e - e * area + 0.5 * square
    return hang, 0.5 * e - area, cable.tension / length * (e - end)


@only_with("ritz", otherwise=lambda model, data: 0.0 * data.nodes[0].x[0])
@kernel
def ritz_loss(model, data):
    """Power lost in the material of all Ritz cables."""
    total = 0.0 * data.nodes[0].x[0]
    for r in range(len(model.ritz)):
        cable = model.ritz[r]
        length, _, _ = cable_length(cable, data.signals)
        c, step = model.nodes[cable.node].column, stride(cable)
        # Eq. (6) of ``ritz`` times the rates; D is diagonal
        for j in range(cable.modes):
            bend = model.shapes[cable.axial_shape + j, SQUARE_K] / length
            total += bend * cable.axial_damping * data.v[c + step * j] * data.v[c + step * j]
            if cable.has_torsion:
                total += bend * cable.turn_damping * data.v[c + step * j + 1] * data.v[c + step * j + 1]
        for k in range(2):
            c = lateral_column(model, cable, k)
            for j in range(cable.lateral):
                bend = model.shapes[cable.lateral_shape + j, SQUARE_K] / length
                total += bend * cable.lateral_damping * data.v[c + j] * data.v[c + j]
    return total


@only_with("ritz", otherwise=lambda model, data: 0.0 * data.nodes[0].x[0])
@kernel
def ritz_power(model, data):
    """Input power of all Ritz cables, Eq. (3); needs the residual at the same accelerations."""
    total = 0.0 * data.nodes[0].x[0]
    for r in range(len(model.ritz)):
        total += cable_power(model, data, model.ritz[r])
    return total


@part
def cable_power(model, data, cable):
    """Input power of a Ritz cable, Eq. (3)."""
    c, rho = model.nodes[cable.node].column, cable.line_density
    length, rate, second = cable_length(cable, data.signals)
    lift, lift_rate, lift_second = excitation(cable, data.signals, 2)
    sinks = rate - lift_rate
    weight = -rho * model.settings[0].gravity[2]
    # Eq. (3): power of the force at the end, which moves with the prescribed length
    total = -data.nodes[cable.node].F[2] * sinks
    # Eq. (3): rates of elastic and gravity energy by the prescribed length and excitation
    _, by_length, by_x, by_y = elastic_parts(model, data, cable, length)
    total += by_length * rate
    sink = mean_sink(model, data, cable)
    total += weight * (rate * (cable.start[2] + lift - length - sink) + length * lift_rate)
    # Eq. (3): acceleration times the prescribed part r of the velocity, and energy of entering material
    whole = rate + carried_rate(cable, data.signals)
    fall = second - (lift_second if cable.is_carried else 0.0)
    m_0, _, m_x, x = acceleration_moments(model, data, axial_field(cable, c), (length, rate, second))
    enters = whole + rate / length * x
    total += rho * (length * whole * (m_0 + fall) + rate * (m_x + fall * sink) + 0.5 * rate * enters * enters)
    if cable.has_torsion:
        _, _, m_x, x = acceleration_moments(model, data, axial_field(cable, c + 1), (length, rate, second))
        enters = rate / length * x
        total += cable.turn_inertia * rate * (m_x + 0.5 * enters * enters)
    if cable.lateral > 0:
        total += by_x * excitation(cable, data.signals, 0)[1] + by_y * excitation(cable, data.signals, 1)[1]
        for k in range(2):
            total += rho * lateral_power(model, data, cable, k)
    return total


@part
def lateral_power(model, data, cable, k):
    """A lateral field's share in Eq. (3), per line density."""
    length, rate, second = cable_length(cable, data.signals)
    e, e_rate, e_second = excitation(cable, data.signals, k)
    flow = rate / length
    lean = e_rate - flow * e
    swing = e_second - second * e / length - 2.0 * flow * lean
    field = lateral_field(model, cable, k)
    first = field[0]
    _, m_1, m_x, x = acceleration_moments(model, data, field, (length, rate, second))
    i = first + coordinate_shift(model, first)
    tilt = 0.0 * x
    for j in range(cable.lateral):
        tilt += 2.0 * model.shapes[cable.lateral_shape + j, LEAN] * data.q[i + j]
    enters = flow * x + lean
    return length * lean * (m_1 + swing / 3.0) + rate * (m_x + swing * tilt) + 0.5 * rate * enters * enters


@part
def field_products(model, data, field):
    """B f and G f into shape_work; sums run over columns, so that they vectorise."""
    first, step, n, at = field
    by_B, by_G = data.shape_work[0], data.shape_work[1]
    i = first + coordinate_shift(model, first)
    for j in range(n):
        by_B[j] = 0.0
        by_G[j] = 0.0
    for k in range(0, n, 2):
        m, last = next_row(k, n)
        f, f_m = data.q[i + step * k], last * data.q[i + step * m]
        B_k, G_k = model.shapes_B[at + k], model.shapes_G[at + k]
        B_m, G_m = model.shapes_B[at + m], model.shapes_G[at + m]
        for j in range(n):
            by_B[j] += B_k[j] * f + B_m[j] * f_m
            by_G[j] += G_k[j] * f + G_m[j] * f_m


@part
def acceleration_moments(model, data, field, motion):
    """Moments of a field's acceleration, Eqs. (4), (5), (6), and the slope X'(0) at the exit."""
    shapes, by_B, by_G = model.shapes, data.shape_work[0], data.shape_work[1]
    first, step, n, at = field
    length, rate, second = motion
    shift = coordinate_shift(model, first)
    flow, gain = rate / length, second / length
    zero = 0.0 * data.q[0]
    m_0, m_1, m_x, x = zero, zero, zero, zero
    if rate != 0.0:
        field_products(model, data, field)
    for j in range(n):
        c = first + step * j
        f, f_rate, f_second = data.q[c + shift], data.v[c], data.columns[c].acceleration
        # Eqs. (4), (5), (6) without their boundary terms
        m_0 += shapes[at + j, AREA] * (f_second + 2.0 * flow * f_rate + gain * f)
        m_1 += shapes[at + j, LEAN] * (f_second + 4.0 * flow * f_rate + 2.0 * (gain + flow * flow) * f)
        x += shapes[at + j, START_SLOPE] * f
        if rate != 0.0:
            m_x += by_B[j] * f_second + by_G[j] * (2.0 * flow * f_rate + (gain - 0.5 * flow * flow) * f)
    # boundary terms at the exit, where material enters with the slope x
    m_0 -= flow * flow * x
    m_1 -= flow * flow * x
    m_x -= 0.5 * flow * flow * x * x
    return m_0, m_1, m_x, x
