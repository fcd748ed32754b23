"""Malformed scenarios: one change each to a good one, and the one error it must give."""

from dataclasses import dataclass

# the line numbers below are those of this text, which begins with line 1
GOOD = """\
taut: 1
name: bad input
gravity: [0, 0, -9.81]
signals:
  sway: 0.1*sin(2*pi*t)
platform: {mass: 5, box: [1, 1, 0.5], position: [0, 0, 1]}
bodies:
  boom:
    mass: 2
    com: [0.5, 0, 0]
    rod: {length: 1, axis: [1, 0, 0]}
    joint: {kind: revolute, axis: [0, 1, 0], origin: [0, 0, 3]}
defaults:
  cable: {elements: 2, radius: 2e-3, mass_per_length: 0.05, youngs_modulus: 1e9, damping: 1e6}
cables:
  - {name: C1, exit: [-1, 0, 3], anchor: [-0.5, 0, 0.25], driver: lift}
  - {name: C2, exit: [1, 0, 3], anchor: [0.5, 0, 0.25], driver: lift}
drivers:
  lift: {kind: trajectory, offset: [sway, 0, 0]}
closures: []
run: {duration: 1}
"""


@dataclass(frozen=True)
class Case:
    """Replace `old` by `new` in GOOD; the error must be `line: text` and mention every entry of `also`."""

    old: str
    new: str
    line: int | None
    text: str
    also: tuple[str, ...] = ()


def _loop(rows: str) -> str:
    return "closures:\n" + "".join(f"  - {{{row}}}\n" for row in rows.split("|"))


PIN = "name: pin, bodies: [boom, world]"
BOMB = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{new}: &{new} [*{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)

ROPE = "  - {{name: R, kind: {kind}, exit: [0, 0, 5], body: boom, anchor: [1, 0, 0]{more}, via: [{via}]}}\n"


def _rope(via: str, *, kind: str = "ideal", more: str = "") -> tuple[str, str]:
    """A rope over guides after the cables; the text to replace, and its replacement."""
    return "drivers:\n", ROPE.format(via=via, kind=kind, more=more) + "drivers:\n"


SHEAVE = "kind: sheave, radius: 0.2, point: [1, 0, 6]"
CASES = {
    # ropes over guides
    "guides coincide": Case(
        *_rope("{kind: pinhole, point: [1, 0, 6]}, {kind: pinhole, point: [1, 0, 6]}"), 18,
        "cables[2].via[0]: coincides with via[1]", ("move one of them",)),
    "exit in a guide": Case(
        *_rope("{kind: pinhole, point: [0, 0, 5]}"), 18, "cables[2].exit: coincides with via[0]"),
    "anchor inside a sheave": Case(
        *_rope("{kind: sheave, radius: 0.5, point: [1, 0, 3.2], axis: [0, 1, 0]}"), 18,
        "cables[2].via[0]: anchor lies inside the sheave", ("smaller radius",)),
    "rope shorter than its way": Case(
        *_rope("{kind: pinhole, point: [1, 0, 6]}", more=", length: 2"), 18,
        "cables[2].length = 2.0: is shorter than the rope's way", ("give at least that length",)),
    "axis along the rope": Case(
        *_rope(f"{{{SHEAVE}, axis: [0, 0, 1]}}"), 18, "cables[2].via[0].axis: lies along the rope"),
    "negative friction of a guide": Case(
        *_rope("{kind: pinhole, point: [1, 0, 6], friction: -0.1}"), 18,
        "cables[2].via[0].friction = -0.1: must not be less than 0"),
    "friction on a sheave that swivels": Case(
        *_rope(f"{{{SHEAVE}, friction: 0.1}}"), 18,
        "cables[2].via[0].friction = 0.1: a sheave with friction needs an axis"),
    "efficiency beside inertia": Case(
        *_rope(f"{{{SHEAVE}, axis: [0, 1, 0], inertia: 0.1, efficiency: 0.9}}"), 18,
        "cables[2].via[0].efficiency = 0.9: takes the place of a bearing"),
    "spin without friction": Case(
        *_rope(f"{{{SHEAVE}, axis: [0, 1, 0], inertia: 0.1, spin: 3}}"), 18,
        "cables[2].via[0].spin = 3: a rope that does not slip turns its sheave"),
    "pretension beside a length": Case(
        *_rope("{kind: pinhole, point: [1, 0, 6]}", kind="spring",
               more=", axial_stiffness: 1e5, length: 7, pretension: 10"), 18,
        "cables[2].pretension = 10: cannot go with length"),
    "negative inertia of a sheave": Case(
        *_rope(f"{{{SHEAVE}, axis: [0, 1, 0], inertia: -1}}"), 18,
        "cables[2].via[0].inertia = -1: must not be less than 0 [kg m^2]"),
    "guide on an unknown body": Case(
        *_rope("{kind: pinhole, body: bom, point: [1, 0, 6]}"), 18,
        "cables[2].via[0].body = 'bom': there is no body of this name", ("boom",)),
    "unknown kind of guide": Case(
        *_rope("{kind: pully, point: [1, 0, 6]}"), 18, "cables[2].via[0].kind = 'pully'"),
    "swivel in a straight line": Case(
        *_rope("{kind: sheave, radius: 0.2, point: [0.5, 0, 4]}"), 18,
        "cables[2].via[0]: swivels, and its centre lies on a line with its neighbours"),
    "sheaves inside each other": Case(
        *_rope(f"{{{SHEAVE}, axis: [0, 1, 0]}}, {{kind: sheave, radius: 0.5, point: [1.1, 0, 6], axis: [0, 1, 0]}}"),
        18, "cables[2].via: there is no such way over these sheaves"),
    # numbers
    "negative mass per length": Case(
        "mass_per_length: 0.05", "mass_per_length: -0.03", 14,
        "defaults.cable.mass_per_length = -0.03: must be greater than 0 [kg/m]"),
    "negative mass": Case("mass: 5,", "mass: -5,", 6, "platform.mass = -5: must not be less than 0 [kg]"),
    "zero mass": Case("mass: 5,", "mass: 0,", 6, "platform.mass = 0: must be greater than 0 [kg]", ("massless: true",)),
    "zero radius": Case("radius: 2e-3", "radius: 0", 14, "defaults.cable.radius = 0: must be greater than 0 [m]"),
    "not a number": Case("mass: 2", "mass: two", 9, "bodies.boom.mass = 'two': must be a number [kg]"),
    "number in quotes": Case("mass: 2", 'mass: "2"', 9, "bodies.boom.mass = '2': must be a number [kg]", ("quotes",)),
    "number with a unit": Case("mass: 2", "mass: 2 kg", 9, "bodies.boom.mass = '2 kg': must be a number [kg]"),
    "boolean for a number": Case("mass: 2", "mass: true", 9, "bodies.boom.mass = true: must be a number [kg]"),
    "nan": Case("mass: 2", "mass: .nan", 9, "bodies.boom.mass = nan: must be a finite number"),
    "infinity": Case("[0, 0, -9.81]", "[0, 0, -.inf]", 3, "gravity[2] = -inf: must be a finite number"),
    "too large": Case("[0, 0, -9.81]", "[0, 0, -1e300]", 3, "gravity[2] = -1e+300: must be a finite number",
        ("1e+30",)),
    "a hundred digits": Case("duration: 1", "duration: " + "9" * 400, 21,
        "run.duration = inf: must be a finite number"),
    "two coordinates": Case(
        "exit: [1, 0, 3]", "exit: [1, 0]", 17, "cables[1].exit = [1, 0]: must be a list of 3 entries [x, y, z] [m]"),
    "four coordinates": Case(
        "[0, 0, -9.81]", "[0, 0, 0, 1]", 3, "gravity = [0, 0, 0, 1]: must be a list of 3 entries [x, y, z] [m/s^2]"),
    "text for a vector": Case("exit: [1, 0, 3]", "exit: left", 17,
        "cables[1].exit = 'left': must be a list of 3 entries"),
    "half an element": Case("elements: 2", "elements: 2.5", 14,
        "defaults.cable.elements = 2.5: must be a whole number"),
    "no element": Case("elements: 2", "elements: 0", 14, "defaults.cable.elements = 0: must not be less than 1"),
    "too many elements": Case("elements: 2", "elements: 1000000", 14,
        "elements = 1000000: must not be more than 10000"),
    "too many samples": Case("duration: 1", "duration: 1e9", 21, "run.save_every = 0.01: too small: 1e+11 samples"),
    # keys
    "unknown key": Case("elements: 2", "elements: 2, elments: 3", 14, "defaults.cable.elments = 3: unknown key",
                        ("did you mean 'elements'?",)),
    "misspelt required key": Case("exit: [1, 0, 3]", "exti: [1, 0, 3]", 17, "cables[1].exti = [1, 0, 3]: unknown key",
                                  ("did you mean 'exit'?",)),
    "unknown key at the top": Case("closures: []", "closure: []", 20, "closure = []: unknown key",
                                   ("did you mean 'closures'?",)),
    "unknown section of defaults": Case("  cable: {", "  cabel: {", 14, "defaults.cabel: unknown key", ("'cable'",)),
    "missing key": Case("anchor: [0.5, 0, 0.25], ", "", 17, "cables[1].anchor: is required"),
    "missing version": Case("taut: 1\n", "", 1, "taut: is required"),
    "wrong version": Case("taut: 1", "taut: 2", 1, "taut = 2: must be 1"),
    "step of no size": Case("duration: 1", "duration: 1, step: 0", 21, "run.step = 0: must be greater than 0"),
    "damping out of range": Case("duration: 1", "duration: 1, generalized_alpha: {rho_infinity: 2}", 21,
        "run.generalized_alpha.rho_infinity = 2: must not be more than 1"),
    "index that is none": Case("duration: 1", "duration: 1, generalized_alpha: {index: 1}", 21,
        "run.generalized_alpha.index = 1: must be 2 or 3"),
    "unknown stabilisation": Case("duration: 1", "duration: 1, explicit: {stabilisation: baumgart}", 21,
        "run.explicit.stabilisation = 'baumgart': must be one of projection, baumgarte", ("did you mean",)),
    "record is a list": Case("run: {duration: 1}", "run: [1]", 21, "run: must be a mapping (key: value)"),
    "list is a mapping": Case("closures: []", "closures: {}", 20, "closures: must be a list"),
    "name is a number": Case("name: C1", "name: 1", 16, "cables[0].name = 1: must be text", ("put it in quotes",)),
    "name with a dot": Case("name: C1", "name: C.1", 16, "cables[0].name = 'C.1': name must consist of letters"),
    "yes for true": Case("closures: []", "planar: yes", 20, "planar = 'yes': must be true or false"),
    # choices
    "unknown joint": Case("kind: revolute", "kind: revolut", 12,
        "bodies.boom.joint.kind = 'revolut': must be one of fixed",
                          ("did you mean 'revolute'?",)),
    "unknown driver kind": Case("kind: trajectory", "kind: trajectry", 19,
                                "drivers.lift.kind = 'trajectry': must be one of fixed, trajectory", ("did you mean",)),
    "driver without kind": Case("kind: trajectory, ", "", 19, "drivers.lift: needs kind: one of fixed, trajectory"),
    "unknown cable kind": Case("elements: 2", "elements: 2, kind: rope", 14,
        "defaults.cable.kind = 'rope': must be one of mrfe"),
    "unknown law": Case("elements: 2", "elements: 2, axial_law: {law: linar}", 14,
                        "defaults.cable.axial_law.law = 'linar': must be one of linear, kelvin-voigt",
                        ("did you mean 'linear'?",)),
    "unknown exit joint": Case("elements: 2", "elements: 2, exit_joint: polar", 14,
                               "defaults.cable.exit_joint = 'polar': must be one of transverse, azimuth-polar"),
    "unknown frame": Case("closures: []", "forces: [{body: boom, frame: local}]", 20,
                          "forces[0].frame = 'local': must be one of world, body"),
    # names
    "cable on a missing body": Case("driver: lift}\ndrivers", "driver: lift, body: bom}\ndrivers", 17,
                                    "cables[1].body = 'bom': there is no body of this name", ("did you mean 'boom'?",)),
    "missing driver": Case("driver: lift}\ndrivers", "driver: lfit}\ndrivers", 17,
                           "cables[1].driver = 'lfit': there is no driver of this name", ("did you mean 'lift'?",)),
    "missing parent": Case("kind: revolute", "kind: revolute, parent: mast", 12,
                           "bodies.boom.joint.parent = 'mast': there is no body of this name",
                           ("known: platform, boom, world",)),
    "closure with a missing body": Case("closures: []\n", _loop("name: pin, bodies: [boom, wrld], at: [1, 0, 3]"), 21,
                                        "closures[0].bodies[1] = 'wrld': there is no body", ("did you mean 'world'?",)),
    "force on a missing body": Case("closures: []", "forces: [{body: platfrom}]", 20,
                                    "forces[0].body = 'platfrom': there is no body", ("did you mean 'platform'?",)),
    "two cables of one name": Case("name: C2", "name: C1", 17, "cables[1].name = 'C1': name given twice",
        ("cables[0]",)),
    "body called world": Case("  boom:", "  world:", 8, "bodies.world: world is the name of the fixed frame"),
    "platform twice": Case("  boom:", "  platform:", 6, "platform: given twice: here and as bodies.platform"),
    "parents in a circle": Case("kind: revolute", "kind: revolute, parent: boom", 12,
                                "bodies.boom.joint.parent = 'boom': parents form a circle: boom -> boom"),
    # records that contradict themselves
    "two ways of stiffness": Case("youngs_modulus: 1e9", "youngs_modulus: 1e9, axial_stiffness: 1e5", 14,
                                  "defaults.cable.axial_stiffness = 100000.0: needs its stiffness in exactly one way"),
    "no stiffness": Case("youngs_modulus: 1e9, damping: 1e6", "exit_bending: hinged", 16,
                         "cables[0]: needs its stiffness in exactly one way", ("(and in 1 more)",)),
    "damping alone": Case("youngs_modulus: 1e9, ", "", 14,
        "defaults.cable.damping = 1000000.0: needs youngs_modulus beside it"),
    "two ways of mass": Case("mass_per_length: 0.05", "mass_per_length: 0.05, density: 7850", 14,
                             "defaults.cable.density = 7850: needs either mass_per_length [kg/m] or density [kg/m^3]"),
    "shape and inertia": Case("box: [1, 1, 0.5]", "box: [1, 1, 0.5], inertia: [1, 1, 1]", 6,
                              "platform.inertia = [1, 1, 1]: give inertia or the shape box, not both"),
    "inertia not symmetric": Case("box: [1, 1, 0.5]", "inertia: [[1, 1, 0], [0, 1, 0], [0, 0, 1]]", 6,
                                  "platform.inertia = [[1, 1, 0], [0, 1, 0], [0, 0, 1]]: must be symmetric"),
    "rod with density": Case("    mass: 2\n", "    density: 7850\n", 9,
                             "bodies.boom.density = 7850: needs a shape with a volume"),
    "position of a hinged body": Case("    mass: 2\n", "    mass: 2\n    position: [0, 0, 0]\n", 10,
                                      "bodies.boom.position = [0, 0, 0]: is for free bodies", ("joint.origin",)),
    "free body that cannot turn": Case("box: [1, 1, 0.5], ", "", 6,
        "platform: has no inertia about an axis its free joint",
                                       ("kind: point",)),
    "massless end": Case("    mass: 2\n", "    massless: true\n", 9,
        "bodies.boom.massless: a massless body that moves"),
    "spring list too long": Case("kind: revolute", "kind: revolute, spring: [{stiffness: 1}, null]", 12,
        "joint.spring = [{'stiffness': 1}, None]: must have 1 entries for a revolute joint, not 2"),
    "zero axis": Case("axis: [0, 1, 0]", "axis: [0, 0, 0]", 12, "bodies.boom.joint.axis = [0, 0, 0]: must not be zero"),
    "matrix that is no rotation": Case(
        "position: [0, 0, 1]", "position: [0, 0, 1], orientation: {matrix: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}", 6,
        "platform.orientation.matrix = [[1, 0, 0], [0, 1, 0], [0, 0, -1]]: must be a rotation matrix"),
    "two orientations": Case(
        "position: [0, 0, 1]", "orientation: {euler: [0, 0, 0], quaternion: [1, 0, 0, 0]}", 6,
        "platform.orientation: needs exactly one of quaternion, euler, rotation_vector, matrix"),
    "driver with two motions": Case(
        "offset: [sway, 0, 0]", "offset: [sway, 0, 0], position: [0, 0, 0]", 19,
        "drivers.lift: needs exactly one of position, offset, waypoints; found position and offset"),
    "unknown kind of cable": Case("name: C2,", "name: C2, kind: sprng,", 17,
        "cables[1].kind = 'sprng': must be one of mrfe, ritz, spring, ideal", ("did you mean 'spring'?",)),
    "key of another kind of cable": Case("name: C2,", "name: C2, kind: ideal, elements: 3,", 17,
        "cables[1].elements = 3: unknown key"),
    "ideal cable that springs": Case("name: C2,", "name: C2, kind: ideal, restitution: -0.1,", 17,
        "cables[1].restitution = -0.1: must not be less than 0"),
    "spring cable with two stiffnesses": Case(
        "name: C2,", "name: C2, kind: spring, axial_stiffness: 1, damping: 3,", 17,
        "cables[1].axial_stiffness = 1: needs its stiffness in exactly one way"),
    "cable without length": Case("exit: [1, 0, 3]", "exit: [0.5, 0, 1.25]", 17, "cables[1]: cable C2 has no length"),
    "cable that cannot reach": Case("elements: 2", "elements: 2, length: 0.1", 14,
                                    "defaults.cable.length = 0.1: cable starts stretched by 1720 %, at most 100 %",
                                    ("1.82003 m apart",)),
    "out of the plane": Case("gravity: [0, 0, -9.81]", "planar: true\ngravity: [0, 1, -9.81]", 4,
                             "gravity = [0.0, 1.0, -9.81]: must lie in the x-z plane"),
    # signals
    "unknown name in an expression": Case("0.1*sin(2*pi*t)", "0.1*sin(2*pi*tt)", 5,
                                          "signals.sway = '0.1*sin(2*pi*tt)': unknown name 'tt'"),
    "unknown function": Case("0.1*sin(2*pi*t)", "0.1*sni(2*pi*t)", 5, "unknown function 'sni'",
        ("did you mean 'sin'?",)),
    "open parenthesis": Case("0.1*sin(2*pi*t)", "0.1*sin(2*pi*t", 5,
        "signals.sway = '0.1*sin(2*pi*t': is not a valid expression",
                             ("never closed",)),
    "python in an expression": Case("0.1*sin(2*pi*t)", "__import__('os').getcwd()", 5,
        "is not allowed in an expression"),
    "tower of powers": Case("0.1*sin(2*pi*t)", "9**9**9", 5, "exponents must stay between -100 and 100"),
    "singular expression": Case("0.1*sin(2*pi*t)", "1/(t - 0.5)", 5,
        "signals.sway = '1/(t - 0.5)': its value is not finite"),
    "square root of less than zero": Case("0.1*sin(2*pi*t)", "sqrt(t - 2)", 5, "its value is not finite at t = 0 s"),
    "signals in a circle": Case("0.1*sin(2*pi*t)", "2*sway", 5,
        "signals refer to each other in a circle: sway -> sway"),
    "misspelt signal": Case("[sway, 0, 0]", "[swey, 0, 0]", 19, "drivers.lift.offset[0] = 'swey': unknown name 'swey'",
                            ("did you mean 'sway'?",)),
    "unknown signal kind": Case("0.1*sin(2*pi*t)", "{kind: sin, amplitude: 1}", 5,
                                "signals.sway.kind = 'sin': must be one of constant, polynomial",
                                ("did you mean 'sine'?",)),
    "times that go back": Case("0.1*sin(2*pi*t)", "{kind: waypoints, times: [0, 2, 1], values: [0, 1, 2]}", 5,
                               "signals.sway.times = [0, 2, 1]: must increase strictly, but 1 follows 2"),
    "a value too few": Case("0.1*sin(2*pi*t)", "{kind: waypoints, times: [0, 1], values: [0]}", 5,
                            "signals.sway.values = [0]: must have one entry per time: 2 times, 1 values"),
    "table file missing": Case("0.1*sin(2*pi*t)", "{kind: table, file: wind.csv}", 5,
                               "signals.sway.file = 'wind.csv': does not exist"),
    "list for a signal": Case("0.1*sin(2*pi*t)", "[1, 2]", 5,
        "signals.sway = [1, 2]: must be a number, an expression of t"),
    # the text itself
    "tab": Case("  sway:", "\tsway:", 5, "is not valid YAML: found character '\\t'", ("indent with spaces",)),
    "unclosed bracket": Case("gravity: [0, 0, -9.81]", "gravity: [0, 0, -9.81", 4,
        "is not valid YAML: expected ',' or ']'"),
    "key twice": Case("name: bad input\n", "name: bad input\nname: again\n", 3,
        "name: key given twice, first in line 2"),
    "body twice": Case("defaults:\n", "  boom: {mass: 1}\ndefaults:\n", 13,
        "bodies.boom: key given twice, first in line 8"),
    "two documents": Case("closures: []", "---\nclosures: []", 20, "holds more than one document"),
    "tag": Case("mass: 2", "mass: !!python/object:os.system 2", 9,
        "bodies.boom.mass: tag tag:yaml.org,2002:python/object"),
    "unknown alias": Case("mass: 2", "mass: *heavy", 9,
        "bodies.boom.mass: alias *heavy does not refer to anything above"),
    "yaml bomb": Case(GOOD, BOMB, 6, "holds more than 250000 entries (aliases expanded)"),
    "deep nesting": Case("mass: 2", "mass: " + "[" * 200 + "]" * 200, 9, "is nested deeper than 32 levels"),
    "empty": Case(GOOD, "", 1, "is empty", ("begin with taut: 1",)),
    "only a comment": Case(GOOD, "# nothing\n", 1, "is empty"),
    "a list": Case(GOOD, "- 1\n- 2\n", 1, "must be a mapping (key: value), not a list"),
    "a word": Case(GOOD, "crane\n", 1, "must be a mapping (key: value), not a list"),
    "control character": Case("bad input", "bad \x00 input", None, "is not valid YAML: unacceptable character"),
    # what only the build and the start can see
    "open loop": Case(
        "closures: []\n", _loop(f"{PIN}, points: [[1, 0, 0], [9, 0, 3]]"), 21,
        "closures[0]: the loop at 'pin' cannot be closed", ("a gap of",)),
    "impossible start of two loops": Case(
        "closures: []\n", _loop(f"{PIN}, points: [[1, 0, 0], [1, 0, 3]]|name: nail, bodies: [boom, world], "
                                "points: [[1, 0, 0], [0, 0, 4]]"), 21, "cannot be closed", ("a gap of",)),
}  # fmt: skip
