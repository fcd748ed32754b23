"""The list of planted faults: where, what, and whether an audit can find it in principle.

Findable is what violates physics or the scenario. What an audit cannot find in principle carries the reason, and what
does find it. The list was committed before the first count.
"""

from dataclasses import dataclass
from typing import Any

from taut.model.enums import EventKind, LawKind

from . import plants_results as R
from . import plants_tables as T

TABLES, RESULTS, KERNELS, SCENARIO, BUILD, SETTINGS = "tables", "results", "kernels", "scenario", "build", "settings"

PICK, QUAD, EIGHT = "mamidi-pick-and-place", "mamidi-quadcopter-failure", "mamidi-8-8-sine"
TEMPEL, WANG, STEWART = "tempel-planar", "wang-suspension", "stewart-actuated"
CRANE, COGIRO, SNATCH = "crane-3d", "cogiro", "cable-snatch"
BALL = "ball-on-ground"  # machine for impacts, which the nine machines do not have
PENDULUM = "pendulum-crane"  # machine for dry friction
ELEVATOR, TOWER = "elevator", "tower-crane"  # machines for ropes over sheaves
TACKLE = "tackle"  # machine for friction at guides
THROWN = "thrown-rope"  # machine for a rope over guides that goes slack (machines.py)
DURATIONS = {WANG: 10.0}  # duration of runs where it differs from that of the scenario [s]


@dataclass(frozen=True)
class Fault:
    """One fault on one machine."""

    name: str
    machine: str
    way: str  # how the fault is planted: into tables, results, kernels or the build
    plant: Any
    unfindable: str = ""  # why no audit can find the fault, and what does
    duration: float | None = None  # duration of runs of kernels with the JIT off [s]


def tables(name: str, machine: str, plant: Any, unfindable: str = "") -> Fault:
    """A fault in the tables the engine runs with."""
    return Fault(name, machine, TABLES, plant, unfindable)


def results(name: str, machine: str, plant: Any) -> Fault:
    """A fault in the arrays of the result."""
    return Fault(name, machine, RESULTS, plant)


def kernels(name: str, machine: str, plant: str, duration: float) -> Fault:
    """A fault in an algorithm; the plant is the name of a function in ``plants_kernels``."""
    return Fault(name, machine, KERNELS, plant, "", duration)


OF_TABLES = [
    # masses and inertias
    tables("platform mass x 1.01", PICK, T.scaled("nodes", "mass", 1.01, T.body("platform"))),
    tables("platform inertia x 1.01", PICK, T.scaled("nodes", "inertia", 1.01, T.body("platform"))),
    tables("mass of one half-link x 1.01", PICK, T.scaled("nodes", "mass", 1.01, T.element("C1", 2))),
    tables("centre of mass off by 1 mm", PICK, T.added("nodes", "com", [1e-3, 0, 0], T.body("platform"))),
    tables("quadcopter inertia x 1.01", QUAD, T.scaled("nodes", "inertia", 1.01, T.body("Q2"))),
    tables("mass of one half-link of a fed cable x 1.01", EIGHT, T.scaled("nodes", "mass", 1.01, T.element("C1", 5))),
    tables("planar platform inertia x 1.01", TEMPEL, T.scaled("nodes", "inertia", 1.01, T.body("platform"))),
    tables("small-rotation platform mass x 1.01", WANG, T.scaled("nodes", "mass", 1.01, T.body("platform"))),
    tables("leg inertia x 1.01", STEWART, T.scaled("nodes", "inertia", 1.01, T.body("lower1"))),
    tables("load mass x 1.01", CRANE, T.scaled("nodes", "mass", 1.01, T.body("load"))),
    tables("platform inertia x 1.01 on tethers", COGIRO, T.scaled("nodes", "inertia", 1.01, T.body("platform"))),
    tables("load mass x 1.01 below a cable", SNATCH, T.scaled("nodes", "mass", 1.01, T.row(1))),
    # stiffnesses and dampers
    tables("stiffness of one element x 1.01", PICK, T.scaled("columns", "stiffness", 1.01, T.stretch("C2", 1))),
    tables("damper of one element x 1.01", PICK, T.scaled("columns", "damping", 1.01, T.stretch("C2", 1))),
    tables("bending stiffness of one element x 1.01", PICK, T.scaled("columns", "stiffness", 1.01, T.bend("C3", 2))),
    tables(
        "stiffness of one planar element x 1.01", TEMPEL, T.scaled("columns", "stiffness", 1.01, T.stretch("C1", 9))
    ),
    tables("bending damper of one element x 1.01", TEMPEL, T.scaled("columns", "damping", 1.01, T.bend("C1", 3))),
    tables("servo spring x 1.01", STEWART, T.scaled("columns", "stiffness", 1.01, T.column_of("upper3"))),
    tables("servo damper x 1.01", STEWART, T.scaled("columns", "damping", 1.01, T.column_of("upper3"))),
    tables("viscous friction x 1.01", CRANE, T.scaled("columns", "viscous", 1.01, T.row(0))),
    tables("dry friction x 1.01", PENDULUM, T.scaled("columns", "coulomb", 1.01, T.row(0))),
    tables("friction that holds beyond its limit", PENDULUM, T.scaled("columns", "coulomb", 100.0, T.row(0))),
    tables("viscous friction with the wrong sign", CRANE, T.scaled("columns", "viscous", -1.0, T.every)),
    tables("tether stiffness x 1.01", COGIRO, T.scaled("tethers", "stiffness", 1.01, T.row(0))),
    tables("tether damping x 1.01", COGIRO, T.scaled("tethers", "damping", 1.01, T.row(0))),
    tables("free length of an element x 1.0001", EIGHT, T.scaled("columns", "free", 1.0001, T.stretch("C3", 4))),
    tables("ground stiffness x 1.01", PICK, T.scaled("contacts", "stiffness", 1.01, T.every)),
    # the first machine never presses on its ground; added after the first count, on one that does
    tables("ground stiffness x 1.01 where it is pressed", QUAD, T.scaled("contacts", "stiffness", 1.01, T.every)),
    tables("ground friction x 1.01", QUAD, T.scaled("contacts", "friction", 1.01, T.every)),
    tables("ground damping x 1.01", QUAD, T.scaled("contacts", "damping", 1.01, T.every)),
    tables("a slack cable pushes", SNATCH, T.of_laws("law", LawKind.LINEAR, LawKind.BILINEAR)),
    # ropes of assumed modes
    tables("rope stiffness x 1.01", WANG, T.scaled("ritz", "axial_stiffness", 1.01, T.row(0))),
    tables("rope mass x 1.01", WANG, T.scaled("ritz", "line_density", 1.01, T.row(0))),
    tables("rope coupling with the wrong sign", WANG, T.scaled("ritz", "coupling", -1.0, T.row(1))),
    tables("rope damping x 1.01", WANG, T.scaled("ritz", "axial_damping", 1.01, T.row(0))),
    # geometry
    tables("anchor off by 1 mm", PICK, T.added("closures", "point_b", [0, 1e-3, 0], T.closure("C1.anchor"))),
    tables("ball joint off by 0.1 mm", STEWART, T.added("closures", "point_b", [1e-4, 0, 0], T.closure("ball2"))),
    tables("hinge axis tilted by 1 mrad", STEWART, T.tilted("nodes", "axis_1", 1e-3, T.body("lower4"))),
    tables("link 0.1 % longer", CRANE, T.scaled("nodes", "offset", 1.001, T.every)),
    tables("exit of a tether off by 1 cm", COGIRO, T.added("guides", "point", [1e-2, 0, 0], T.row(4))),
    tables("guide off by 1 cm", TOWER, T.added("guides", "point", [1e-2, 0, 0], T.row(2))),
    tables("sheave radius x 1.01", TOWER, T.scaled("sheaves", "radius", 1.01, T.row(1))),
    tables("axis of a sheave tilted by 10 mrad", TOWER, T.tilted("sheaves", "axis", 1e-2, T.row(0))),
    tables("rope on the wrong side of a sheave", TOWER, T.scaled("sheaves", "side", -1.0, T.row(2))),
    tables("a wheel pays out 1 % less", ELEVATOR, T.scaled("guides", "ratio", 0.99, T.row(1))),
    tables("friction of a guide x 1.02", TACKLE, T.scaled("guides", "friction", 1.02, T.every)),
    tables("efficiency of a sheave off by 0.2 %", TACKLE, T.scaled("guides", "loss", 1.05, T.every)),
    tables("losses of a gearbox x 1.02", TACKLE, T.scaled("capstans", "arm", 1.02, T.every)),
    tables("one piece of a slipping rope pushes", THROWN, T.assigned("tethers", "is_two_sided", 1, T.row(1))),
    tables("the last piece of a slipping rope pushes", THROWN, T.assigned("tethers", "is_two_sided", 1, T.row(2))),
    tables("a rope that sticks to its guide", THROWN, T.scaled("guides", "friction", 1e3, T.every)),
    tables("inertia of a sheave x 1.01", ELEVATOR, T.scaled("nodes", "inertia", 1.01, T.node("rope.sheave1"))),
    tables("ground 1 mm too high", PICK, T.added("contacts", "height", 1e-3, T.every)),
    # forces and signals
    tables("gravity 9.80665 instead of 9.81", PICK, T.scaled("settings", "gravity", 9.80665 / 9.81, T.row(0))),
    tables("gravity with the wrong sign", CRANE, T.scaled("settings", "gravity", -1.0, T.row(0))),
    tables("exits 5 ms late", PICK, T.delayed(5e-3)),
    tables("thrust 5 ms late", QUAD, T.delayed(5e-3)),
    tables("feed 5 ms late", EIGHT, T.delayed(5e-3)),
    tables("lifting force 5 ms late", TEMPEL, T.delayed(5e-3)),
    tables("shaken exits 5 ms late", WANG, T.delayed(5e-3)),
    tables("servo 5 ms late", STEWART, T.delayed(5e-3)),
    tables("gust 5 ms late", CRANE, T.delayed(5e-3)),
    tables("thrust x 1.01", QUAD, T.amplified(1.01, 0)),
    tables("lifting force x 1.01", TEMPEL, T.amplified(1.01, 0)),
    tables("servo force x 1.01", STEWART, T.amplified(1.01, 0)),
    tables("feed rate x 1.01", EIGHT, T.amplified(1.01, 0, about=1.0)),
    tables("trolley travel x 1.01", CRANE, T.amplified(1.01, 0)),
    tables("command of a winch x 1.01", COGIRO, T.commands_amplified(1.01)),
    tables("rotor torque dropped", QUAD, T.assigned("wrenches", "signal", -1, lambda model: (0, 5))),
    tables("thrust does not turn with the body", QUAD, T.assigned("wrenches", "is_follower", 0, T.every)),
    tables("rotor arm x 1.01", QUAD, T.scaled("wrenches", "point", 1.01, T.row(1))),
    tables("lifting force 1 cm aside", TEMPEL, T.added("wrenches", "point", [1e-2, 0, 0], T.row(0))),
    # flow of material
    tables("flow of material dropped", EIGHT, T.assigned("nodes", "flow", 0.0, T.every)),
    tables(
        "spring of an element does not follow the feed", EIGHT, T.assigned("columns", "feed", -1, T.stretch("C2", 3))
    ),
    # events
    tables("contacts ignored", PICK, T.ignored(EventKind.CONTACT)),
    # added after the first count, on a machine that presses on its ground
    tables("contacts ignored where they act", QUAD, T.ignored(EventKind.CONTACT)),
    tables("failure never acts", QUAD, T.ignored(EventKind.SWITCH)),
    tables("failure 50 ms late", QUAD, T.switched_at(0.05)),
    tables("crossings ignored", QUAD, T.ignored(EventKind.CROSSING)),
    tables("tethers never go slack or taut", COGIRO, T.ignored(EventKind.TETHER)),
    tables("restitution 0.05 too high", BALL, T.added("closures", "restitution", 0.05, T.every)),
    # start
    tables("starts 1 mm too high", COGIRO, T.start_moved),
    tables("starts with 1 cm/s", CRANE, T.start_pushed),
]

OF_RESULTS = [
    results("kinetic energy from nowhere", PICK, R.energy_added),
    results("half of the losses not booked", QUAD, R.scaled("work_dissipated", 0.5)),
    results("input work x 1.01", STEWART, R.scaled("work_input", 1.01)),
    results("one sample of positions repeated", PICK, R.shifted_sample("body_position")),
    results("one sample of velocities repeated", STEWART, R.shifted_sample("body_velocity")),
    results("one sample of quaternions repeated", CRANE, R.shifted_sample("body_quaternion")),
    results("one sample of all channels repeated", QUAD, R.duplicated),
    results("positions one sample late", TEMPEL, R.late("body_position")),
    results("cable nodes one sample late", EIGHT, R.late("cable_nodes")),
    results("tensions one sample late", PICK, R.late("cable_tension")),
    results("clock half an interval late", QUAD, R.clock_late),
    results("one tension frozen", PICK, R.frozen("cable_tension", (0,))),
    results("one multiplier frozen", EIGHT, R.frozen("multiplier", (0,))),
    results("one joint coordinate frozen", STEWART, R.frozen("joint_position", (2,))),
    results("velocity with the wrong sign", STEWART, R.scaled("body_velocity", -1.0)),
    results("angular velocity in degrees", CRANE, R.scaled("body_angular_velocity", 57.29577951308232)),
    results("quaternion not normalised", QUAD, R.scaled("body_quaternion", 1.001)),
    results("acceleration without gravity", TEMPEL, R.offset("body_acceleration", (0.0, 0.0, 9.81))),
    results("angular acceleration x 1.01", QUAD, R.scaled("body_angular_acceleration", 1.01)),
    results("cable length in millimetres", EIGHT, R.scaled("cable_length", 1e3)),
    results("anchor force with the wrong sign", COGIRO, R.scaled("anchor_force", -1.0, (0,))),
    results("multiplier of one row zero", PICK, R.scaled("multiplier", 0.0, (4,))),
    results("tensions of two cables exchanged", COGIRO, R.exchanged("cable_tension", 0, 5)),
    results("tension of one cable x 1.01", WANG, R.scaled("cable_tension", 1.01, (0,))),
    results("tension missing at all times", PICK, R.missing("cable_tension", (1, 2))),
    results("nodes missing at all times", SNATCH, R.missing("cable_nodes", (0, 3))),
    results("gravity energy x 1.01", CRANE, R.scaled("energy_gravity", 1.01)),
    results("exit force x 1.01", SNATCH, R.scaled("exit_force", 1.01)),
]

OF_KERNELS = [
    kernels("gyroscopic torque dropped", CRANE, "no_gyroscopic", 10.0),
    kernels("velocity products dropped", CRANE, "no_velocity_products", 10.0),
    kernels("friction drives", CRANE, "friction_sign", 10.0),
    kernels("one multiplier dropped", STEWART, "dropped_multiplier", 0.2),
    kernels("a closure left open", STEWART, "closure_left_open", 0.2),
    kernels("action without reaction", STEWART, "no_centripetal_closure", 0.2),
]

OF_BUILD = [
    Fault("platform mass x 1.01 in the build", STEWART, BUILD, T.scaled("nodes", "mass", 1.01, T.body("platform"))),
    Fault("cable mass x 1.01 in the build", PICK, BUILD, T.scaled("nodes", "mass", 1.01, T.element("C1", 2))),
    Fault(
        "cable stiffness x 1.01 in the build", TEMPEL, BUILD, T.scaled("columns", "stiffness", 1.01, T.stretch("C2", 4))
    ),
    Fault("signal 5 ms late in the build", PICK, BUILD, T.delayed(5e-3)),
    Fault("gravity 9.80665 in the build", QUAD, BUILD, T.scaled("settings", "gravity", 9.80665 / 9.81, T.row(0))),
    Fault("tether stiffness x 1.01 in the build", COGIRO, BUILD, T.scaled("tethers", "stiffness", 1.01, T.row(0))),
]

NOT_FINDABLE = [
    Fault("platform mass wrong in the scenario", PICK, SCENARIO, "platform.mass=0.505",
          "the scenario is what the audit judges by; a weighed mass, or a published number (taut verify)"),
    Fault("Young's modulus wrong in the scenario", TEMPEL, SCENARIO, "defaults.cable.youngs_modulus=1.01e10",
          "as above; taut verify tempel"),
    Fault("too few elements", PICK, SCENARIO, "defaults.cable.elements=2",
          "a coarser model, solved rightly; the convergence table of docs/validation.md"),
    Fault("tolerance ten times looser than asked", PICK, SETTINGS, 10.0,
          "errors of position that satisfy all equations locally; taut verify tolerance"),
    Fault("inertia about an axis that never turns", STEWART, TABLES,
          T.scaled("nodes", "inertia", [1, 1, 1, 1, 1, 1.01], T.body("platform")),
          "it has no effect on this run; a run that turns, tests/reference"),
    Fault("geometric stiffness dropped from Newton's matrix", TEMPEL, SETTINGS, 1.0,
          "changes the speed of convergence and no result; taut bench"),
    Fault("friction speed scale wrong in the scenario", CRANE, SCENARIO, "crane.links.hook.friction.viscous=2.02",
          "the scenario is what the audit judges by; measurement"),
]  # fmt: skip

FAULTS = [*OF_TABLES, *OF_RESULTS, *OF_KERNELS, *OF_BUILD, *NOT_FINDABLE]
FINDABLE = [fault for fault in FAULTS if not fault.unfindable]
