"""The one list of every column of the model and of its workspaces: name, shape, unit, meaning, who fills it.

Everything else (record dtypes, docs page, hash) is made from these lists. Tables are ``np.recarray`` views, so that
``model.nodes[i].mass`` reads the same compiled and with the JIT off. Of the large records, what every evaluation reads
comes first: a recursion touches a few lines of the processor's cache per row, not all of it.
"""

import numpy as np

from taut.model.column import FIELD, INT, REAL, Column
from taut.model.rope_tables import CAPSTANS, DATA_GUIDES, DATA_ROUTES, GUIDES, LAYERS, ROUTES, SHEAVES

__all__ = [
    "CAPSTANS",
    "DATA_GUIDES",
    "DATA_ROUTES",
    "FIELD",
    "GUIDES",
    "INT",
    "LAYERS",
    "REAL",
    "ROUTES",
    "SHEAVES",
    "Column",
]

NODES = (
    Column("kind", INT, (), "-", "JointKind of the joint on the parent"),
    Column("parent", INT, (), "-", "node it hangs on; 0 is the world"),
    Column("coordinate", INT, (), "-", "first entry in q"),
    Column("column", INT, (), "-", "first entry in v"),
    Column("column_count", INT, (), "-", "number of velocity coordinates, 0 to 6; modal: any"),
    Column("is_offset", INT, (), "-", "1 if offset is not zero"),
    Column("is_turned", INT, (), "-", "1 if rotation is not the identity"),
    Column("is_rod", INT, (), "-", "1 if the body is axisymmetric about its z axis with its centre of mass there"),
    Column("is_fed", INT, (), "-", "1 if the half-link's length changes"),
    Column("feed", INT, (), "-", "row of Data.signals with the length against that of the tables; -1 for none"),
    Column("band", INT, (), "-", "modal: first entry of its matrix in Factor.band; -1 for all others"),
    Column("has_arm", INT, (), "-", "0 if its origin always lies on its parent's origin"),
    Column("has_branch", INT, (), "-", "1 if a child other than the next node hangs on it"),
    Column("has_contact", INT, (), "-", "1 if a contact or a cable without mass acts on it"),
    Column("mass", REAL, (), "kg", "mass of the body"),
    Column("com", REAL, (3,), "m", "centre of mass from the body origin, body axes"),
    Column("inertia", REAL, (6,), "kg m^2", "about the centre of mass, body axes: xx xy xz yy yz zz"),
    Column("subsystem", INT, (), "-", "tree it belongs to; -1 for the world"),
    Column("offset", REAL, (3,), "m", "joint origin on the parent, parent's body axes"),
    Column("rotation", REAL, (9,), "-", "joint frame on the parent, row-major"),
    Column("axis_1", REAL, (3,), "-", "first joint axis, joint frame"),
    Column("axis_2", REAL, (3,), "-", "second joint axis, joint frame (universal: after the first turn)"),
    Column("signal", INT, (3,), "-", "driven point: signals of x, y, z; driven joint: the first; -1 for none"),
    Column("start", REAL, (3,), "m", "driven point: constant added to its signals"),
    Column("feed_kind", INT, (), "-", "FeedKind"),
    Column("flow", REAL, (), "m", "speed of the material along the rod, per rate of the signal"),
    Column("line_density", REAL, (), "kg/m", "mass per length of the cable"),
    Column("length", REAL, (), "m", "length of the element for which the tables hold"),
    Column("is_hoist", INT, (), "-", "1 if a crane's rope ends here: its sliding coordinate is the rope's length"),
    Column("is_exit", INT, (), "-", "1 if the cable's material enters here"),
    Column("half_band", INT, (), "-", "modal: entries beside the diagonal of that matrix, per row"),
    Column("modal", INT, (), "-", "modal: first of its numbers in Tables.modal; ritz: its row in Tables.ritz"),
)

COLUMNS = (
    Column("law", INT, (), "-", "LawKind"),
    Column("coordinate", INT, (), "-", "its entry in q; of a quaternion's columns, the entry of w"),
    Column(
        "component", INT, (), "-", "0, 1, 2: component of a quaternion's rotation vector; -1 for a scalar coordinate"
    ),
    Column("is_rotation", INT, (), "-", "1 rotation, 0 translation"),
    Column("is_parent_axis", INT, (), "-", "1 if its axis is fixed in the parent (quaternion joints)"),
    Column("state", INT, (), "-", "internal state in z; -1 for none (of a law that has one: it is relaxed)"),
    Column("feed", INT, (), "-", "row of Data.signals with its cable's length against that of the tables; -1 for none"),
    Column("signal", INT, (), "-", "signal of the applied generalised force; -1 for none"),
    Column("stiffness", REAL, (), "N/m or N m/rad", "spring stiffness; polynomial: coefficient of x"),
    Column("damping", REAL, (), "N s/m or N m s/rad", "parallel damper"),
    Column("free", REAL, (), "m or rad", "position of the relaxed spring"),
    Column("viscous", REAL, (), "N s/m or N m s/rad", "viscous friction"),
    Column("coulomb", REAL, (), "N or N m", "dry friction"),
    Column("stiction", REAL, (), "N or N m", "dry friction at standstill beyond the sliding one"),
    Column("brake", REAL, (), "N or N m", "force or torque that the brake holds"),
    Column("armature", REAL, (), "kg or kg m^2", "inertia of a drum or rotor that turns with the coordinate"),
    Column("stick", INT, (), "-", "event whose side is the SlipMode of its dry friction and brake; -1 for none"),
    Column("is_held", INT, (), "-", "1 if a closure prescribes the coordinate"),
    Column("node", INT, (), "-", "node it belongs to"),
    Column(
        "parameter",
        REAL,
        (7,),
        "-",
        "bilinear: slack stiffness; polynomial: k_2..k_8; solid: branch stiffness, damping; backlash: gap; "
        "motor: 1, lag, gain of the rate, largest force, power, force fed forward, 1 if its signal is a force",
    ),
    Column("velocity_scale", REAL, (), "m/s or rad/s", "width of the smoothed sign of dry friction"),
    Column("stribeck_velocity", REAL, (), "m/s or rad/s", "speed at which stiction has faded to 1/e"),
    Column("is_actuated", INT, (), "-", "1 if an actuator acts here (inverse dynamics)"),
    Column("is_braked", INT, (), "-", "1 if the brake holds at the start"),
    Column("brake_switch", INT, (), "-", "event at which the brake closes or lets go; -1 for none"),
    Column(
        "law_switch", INT, (), "-", "event after which its law acts no more, as the cable is cut there; -1 for none"
    ),
    Column("capstan", INT, (), "-", "row in Tables.capstans of friction that follows tensions; -1 for none"),
    Column("is_slip", INT, (), "-", "1 if it is what slips over a guide, whose inertia stands for none"),
)

SUBSYSTEMS = (
    Column("node", INT, (), "-", "first node"),
    Column("node_count", INT, (), "-", "number of nodes"),
    Column("column", INT, (), "-", "first column"),
    Column("column_count", INT, (), "-", "number of columns"),
    Column("row_list", INT, (), "-", "first entry in row_lists"),
    Column("row_count", INT, (), "-", "constraint rows that touch it"),
    Column("end_list", INT, (), "-", "first entry in ends"),
    Column("end_count", INT, (), "-", "closure ends on it"),
    Column("projection", INT, (), "-", "first entry of its block in Factor.projection"),
)

CLOSURES = (
    Column("kind", INT, (), "-", "ClosureKind"),
    Column("node_a", INT, (), "-", "node of end a; 0 is the world"),
    Column("node_b", INT, (), "-", "node of end b; 0 is the world"),
    Column("point_a", REAL, (3,), "m", "point on a, body axes"),
    Column("point_b", REAL, (3,), "m", "point on b, body axes"),
    Column("axis_a", REAL, (9,), "-", "three unit axes on a, body axes"),
    Column("axis_b", REAL, (9,), "-", "three unit axes on b, body axes"),
    Column("is_linear_a", INT, (), "-", "1 if the rotations of end a are small, plain coordinates"),
    Column("is_linear_b", INT, (), "-", "the same of end b"),
    Column("signal", INT, (3,), "-", "driven point: signals added to point b; -1 for none"),
    Column("row", INT, (), "-", "first row"),
    Column("row_count", INT, (), "-", "number of rows"),
    Column("point_rows", INT, (3,), "-", "1 for each world direction x, y, z in which the points are held"),
    Column("column", INT, (), "-", "coordinate: column of end a that follows the first signal"),
    Column("groove", REAL, (), "m", "coordinate: radius of a sheave whose flank it climbs; 0 for none"),
    Column("partner", INT, (), "-", "groove: column of the rope's turn about the radius"),
    Column(
        "start",
        REAL,
        (),
        "m or rad",
        "coordinate: its value when the signal is zero; distance: the length",
    ),
    Column("switch", INT, (), "-", "event that opens the closure; -1 for none"),
    Column("is_unilateral", INT, (), "-", "1 if its one row is a gap g >= 0 with a multiplier >= 0"),
    Column("hold", INT, (), "-", "unilateral: event on whose side +1 it holds; -1 for none"),
    Column("restitution", REAL, (), "-", "unilateral: speed after an impact against that before"),
    Column("route", INT, (), "-", "distance: the route whose length it keeps; -1 for others"),
)

ENDS = (
    Column("closure", INT, (), "-", "closure this is an end of"),
    Column("node", INT, (), "-", "node it sits on"),
    Column("is_b", INT, (), "-", "0 end a, 1 end b"),
    Column("local_row", INT, (), "-", "column of the closure's first row in the sub-system's projection"),
    Column("guide", INT, (), "-", "distance: the guide of its route that sits there; -1 for others"),
)

WRENCHES = (
    Column("node", INT, (), "-", "node it acts on"),
    Column("is_follower", INT, (), "-", "1 if force and torque turn with the body"),
    Column("point", REAL, (3,), "m", "point of attack, body axes"),
    Column("signal", INT, (6,), "-", "signals of force x y z and torque x y z; -1 for none"),
    Column("switch", INT, (), "-", "event that ends it; -1 for none"),
)

CONTACTS = (
    Column("node", INT, (), "-", "node that touches the ground"),
    Column("law", INT, (), "-", "ContactLaw"),
    Column("point", REAL, (3,), "m", "point that touches, body axes"),
    Column("height", REAL, (), "m", "height of that point at which it touches, world"),
    Column("stiffness", REAL, (), "N/m", "spring against penetration"),
    Column("damping", REAL, (), "N s/m", "damper beside it"),
    Column("friction", REAL, (), "-", "Coulomb coefficient"),
    Column("velocity_scale", REAL, (), "m/s", "width of the smoothed sign of friction"),
    Column("radius", REAL, (), "m", "of a sphere, which touches that far below the point; 0 for none"),
    Column("presliding", REAL, (), "m", "way that a point that sticks gives until friction is at its limit"),
    Column("presliding_time", REAL, (), "s", "damper beside that spring, against it"),
    Column("grip", INT, (), "-", "event whose side is the GripMode of its friction; -1 for none"),
    Column("side", INT, (), "-", "event whose side is its ContactMode: its own, or that of its closure if it is rigid"),
    Column("row", INT, (), "-", "rigid: row of the closure whose multiplier presses it; -1 for others"),
    Column("drag", INT, (), "-", "rigid: its number among those; -1 for others"),
)

TETHERS = (
    Column("route", INT, (), "-", "the way it takes"),
    Column("length", REAL, (), "m", "unstrained length at the start"),
    Column("signal", INT, (), "-", "signal of the length against that at the start; -1 for none"),
    Column("stiffness", REAL, (), "N", "EA"),
    Column("damping", REAL, (), "N s", "eta A"),
    Column("event", INT, (), "-", "event that says whether it is taut"),
    Column("switch", INT, (), "-", "event that cuts it; -1 for none"),
    Column("is_two_sided", INT, (), "-", "whether it pushes too, and is never slack"),
    Column("coupled", INT, (), "-", "its number among those whose stiffness couples moving bodies; -1 for others"),
    Column("first", INT, (), "-", "first tether of the same rope that it slips into over guides, or its own number"),
    Column("last", INT, (), "-", "last one: all from the first to the last are slack together"),
)

FEEDS = (
    Column("node", INT, (), "-", "node whose coordinate is the unstrained length of the cable after it"),
    Column("column", INT, (), "-", "its column"),
    Column("coordinate", INT, (), "-", "its entry in q"),
    Column("last_node", INT, (), "-", "last node of the cable, whose nodes follow one another"),
    Column("last_column", INT, (), "-", "last column of the cable"),
    Column("length", REAL, (), "m", "length for which the tables of the cable hold"),
)

EVENTS = (
    Column("kind", INT, (), "-", "EventKind"),
    Column(
        "index",
        INT,
        (),
        "-",
        "contact, column, node, closure, tether or route it watches; friction: column; grip: contact; timer: its "
        "number; coordinate: entry of q or column; length: signal of a feed or -1; wrap, load: first guide; torque: "
        "column; anchor: first row",
    ),
    Column("point", REAL, (3,), "m", "crossing: point on the node, body axes"),
    Column("direction", REAL, (3,), "-", "crossing: world direction of the measured position or speed; slack: sign"),
    Column(
        "level",
        REAL,
        (),
        "m, m/s, s or N",
        "value to pass; of a slack spring beyond its free position; switch: its time; unilateral: pull still allowed",
    ),
    Column("is_speed", INT, (), "-", "crossing: 1 speed, 0 position"),
    Column(
        "count", INT, (), "-", "tension: routes from ``index`` on, of which the largest is meant; length, load: routes"
    ),
    Column(
        "route", INT, (), "-", "length, load: first route; timer: event that must last; anchor: last node of the cable"
    ),
    Column("scale", REAL, (), "-", "factor of what is watched; timer: side that must last, +1 or -1"),
)

SIGNALS = (
    Column("term", INT, (), "-", "first term"),
    Column("term_count", INT, (), "-", "number of terms"),
)

TERMS = (
    Column("kind", INT, (), "-", "TermKind"),
    Column("piece", INT, (), "-", "first piece of a piecewise polynomial; command: its row in Data.commands"),
    Column("piece_count", INT, (), "-", "number of pieces"),
    Column("amplitude", REAL, (), "-", "sinusoid: amplitude; command: what it is multiplied by"),
    Column("omega", REAL, (), "rad/s", "sinusoid: angular frequency"),
    Column("phase", REAL, (), "rad", "sinusoid: phase at t = 0"),
    Column("offset", REAL, (), "-", "sinusoid: constant added; command: initial value"),
    Column("start", REAL, (), "s", "before it the value is held"),
    Column("end", REAL, (), "s", "after it the value is held"),
)

PIECE_COEFFICIENTS = 16
PIECES = (
    Column("start", REAL, (), "s", "begin of the piece"),
    Column("mid", REAL, (), "s", "its middle"),
    Column("half", REAL, (), "s", "half its width"),
    Column("degree", INT, (), "-", "degree of the polynomial"),
    Column("coefficient", REAL, (PIECE_COEFFICIENTS,), "-", "monomials of (t - mid)/half"),
)

PACES = (
    Column("start", REAL, (), "s", "begin of a region of time"),
    Column("longest", REAL, (), "s", "longest step in it: a longer one may pass over something that the signals do"),
)

RITZ = (
    Column("node", INT, (), "-", "its node: the cable's end"),
    Column("modes", INT, (), "-", "modes of the longitudinal and of the torsional field"),
    Column("lateral", INT, (), "-", "modes of each lateral field; 0 for none"),
    Column("axial_shape", INT, (), "-", "row of Tables.shapes of its first longitudinal and torsional mode"),
    Column("lateral_shape", INT, (), "-", "the same of its lateral modes"),
    Column("has_torsion", INT, (), "-", "1 if it has a torsional field"),
    Column("is_actual", INT, (), "-", "1 if the actual tension stiffens the lateral motion, 0 that at rest"),
    Column("is_carried", INT, (), "-", "1 if the whole cable moves up and down with its exit, 0 its end alone"),
    Column("is_linear", INT, (), "-", "1 if its end turns as small rotations do"),
    Column("feed", INT, (), "-", "signal of the length against that of the table; -1 for none"),
    Column("signal", INT, (3,), "-", "signals of the exit's displacement along x, y, z; -1 for none"),
    Column("start", REAL, (3,), "m", "exit point, world"),
    Column("length", REAL, (), "m", "length at the start"),
    Column("line_density", REAL, (), "kg/m", "mass per length"),
    Column("turn_inertia", REAL, (), "kg m", "moment of inertia per length about the axis"),
    Column("axial_stiffness", REAL, (), "N", "tension per strain"),
    Column("turn_stiffness", REAL, (), "N m^2", "torque per twist"),
    Column("coupling", REAL, (), "N m", "tension per twist, torque per strain"),
    Column("axial_damping", REAL, (), "N s", "damping of the strain rate"),
    Column("lateral_damping", REAL, (), "N s", "damping of the slope's rate"),
    Column("turn_damping", REAL, (), "N m^2 s", "damping of the twist rate"),
    Column("tension", REAL, (), "N", "tension at the anchor in the state from which strains count"),
)

# tables of modal nodes, one for each kind of such nodes
MODAL_TABLES = ("ritz", "modal", "reduced")

# columns of Tables.shapes: integrals of the shape functions of Ritz cables (``build/cables/ritz_integrals.py``)
SQUARE_K, END, AREA, LEAN, START_SLOPE = range(5)

SETTINGS = (
    Column("gravity", REAL, (3,), "m/s^2", "acceleration of free fall"),
    Column("coordinate_count", INT, (), "-", "length of q"),
    Column("column_count", INT, (), "-", "length of v"),
    Column("row_count", INT, (), "-", "constraint rows"),
    Column("state_count", INT, (), "-", "internal states of laws"),
    Column("has_holds", INT, (), "-", "1 if closures open and close"),
    Column("has_loads", INT, (), "-", "1 if events watch multipliers of closures that do not open"),
    Column("has_friction", INT, (), "-", "1 if dry friction or a brake may hold a coordinate"),
    Column("has_feed", INT, (), "-", "1 if a rod's length changes"),
    Column("has_modal", INT, (), "-", "1 if there are modal nodes"),
    Column("has_lengths", INT, (), "-", "1 if the unstrained length of a cable changes in the run"),
)

DATA_NODES = (
    Column("R", FIELD, (9,), "-", "body to world, row-major; by kinematics"),
    Column("x", FIELD, (3,), "m", "body origin, world; by kinematics"),
    Column("r", FIELD, (3,), "m", "from the parent's origin to this origin, world; by kinematics"),
    Column("w", FIELD, (3,), "rad/s", "angular velocity, world; by kinematics"),
    Column("v", FIELD, (3,), "m/s", "velocity of the origin, world; by kinematics"),
    Column("bias_w", FIELD, (3,), "rad/s^2", "velocity-product angular acceleration of the joint; by kinematics"),
    Column("bias_v", FIELD, (3,), "m/s^2", "velocity-product acceleration of the joint; by kinematics"),
    Column("alpha", FIELD, (3,), "rad/s^2", "angular acceleration, world; by accelerations"),
    Column("a", FIELD, (3,), "m/s^2", "acceleration of the origin less gravity, world; by accelerations"),
    Column("N", FIELD, (3,), "N m", "moment about the origin; by body_wrenches, propagated by inverse"),
    Column("F", FIELD, (3,), "N", "force; by body_wrenches, propagated by inverse"),
    Column("external_N", FIELD, (3,), "N m", "applied moment about the origin; by external_wrenches"),
    Column("external_F", FIELD, (3,), "N", "applied force; by external_wrenches"),
)

DATA_COLUMNS = (
    Column("s", FIELD, (3,), "-", "axis in world axes; by kinematics"),
    Column("acceleration", FIELD, (), "-", "of a modal node's column, kept for its power; by modal_wrenches"),
    Column("friction", FIELD, (), "N or N m", "of a column that sticks: force that holds it; by residual"),
    Column("limit", FIELD, (), "N or N m", "of a column in Tables.capstans: friction by tensions; by residual"),
    Column(
        "side", FIELD, (), "-", "1 or -1: damper of a law that may be slack acts or not; 0: as stretched; by the method"
    ),
)

DATA_ROWS = (
    Column("N_a", FIELD, (3,), "m or -", "unit multiplier's moment about end a's origin; by closures"),
    Column("F_a", FIELD, (3,), "-", "unit multiplier's force on end a; by closures"),
    Column("N_b", FIELD, (3,), "m or -", "the same on end b; by closures"),
    Column("F_b", FIELD, (3,), "-", "the same on end b; by closures"),
    Column("value", FIELD, (), "m or -", "constraint error; by closures"),
    Column("rate", FIELD, (), "m/s or 1/s", "its time derivative; by closures"),
    Column("bias", FIELD, (), "m/s^2 or 1/s^2", "its second derivative at the current body accelerations; by closures"),
)

FACTOR_NODES = (
    Column("N", FIELD, (3,), "N m", "reduced moment; by reduce and solve"),
    Column("F", FIELD, (3,), "N", "reduced force; by reduce and solve"),
    Column("rotary", FIELD, (6,), "kg m^2", "added to the rotary block: tension-geometric term; by the caller"),
    Column(
        "inertia",
        FIELD,
        (21,),
        "-",
        "articulated inertia handed over by branches, and the stiffness of contacts; by factor_mass",
    ),
)

FACTOR_COLUMNS = (
    Column("U_N", FIELD, (3,), "-", "moment part of articulated inertia times column; by factor"),
    Column("U_F", FIELD, (3,), "-", "force part; by factor"),
    Column("inverse_D", FIELD, (), "-", "1 / pivot; by factor"),
    Column("u", FIELD, (), "N or N m", "reduced generalised force; by reduce and solve"),
    Column("added", FIELD, (), "-", "added to the diagonal of the mass matrix; by the caller"),
    Column("held", FIELD, (), "-", "added to a prescribed coordinate's pivot; marked by the caller, set by factor"),
)


def record_dtype(columns: tuple[Column, ...], field: type = np.float64) -> np.dtype:
    """The aligned record dtype of a table; ``field`` is float64 or complex128."""
    types = {INT: np.int64, REAL: np.float64, FIELD: field}
    return np.dtype([(c.name, types[c.type], c.shape) for c in columns], align=True)


def new_table(columns: tuple[Column, ...], length: int, field: type = np.float64) -> np.recarray:
    """A zeroed table."""
    return np.zeros(length, record_dtype(columns, field)).view(np.recarray)
