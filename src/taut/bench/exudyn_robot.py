"""A cable robot in Exudyn, as a user who knows it well would build it.

Each cable is one kinematic tree (minimal coordinates, native code) with springs and dampers as its joints' P and D
control; the platform is a rigid body on a Lie group node; spherical joints at the anchors. A driven exit is three
prismatic joints held by coordinate constraints, whose offsets are symbolic user functions: compiled into Exudyn's own
expression trees, no Python runs during the integration. Solver: generalized-alpha on index 3, fixed step, modified
Newton with a few Jacobians per run, sparse matrices, the build without range checks, no files.

Tried on the 4-4 robot and not better: dense solvers, other rotation parameters of the platform and the platform as a
tree (no difference that can be told from noise), user functions in Python (slower), one rigid body per half element
with joints and sparse matrices (a rough trial: more than twice the time per iteration), the trapezoidal rule on index 2
(larger errors), a smaller spectral radius (larger errors), a larger one or a looser Newton (fails or loses accuracy).
Exudyn has no step size control by error for its implicit solvers.
"""

import contextlib
import io
import sys
import time
from importlib import import_module
from typing import Any

import numpy as np

from taut.bench import peers
from taut.bench.peers import MOTIONS
from taut.kernels.rotations import quaternion_matrix
from taut.model import Model
from taut.model.enums import JointKind, TermKind

# select the build without range checks; Exudyn prints which build it loads, so its output is redirected
sys.exudynFast = True  # pyright: ignore[reportAttributeAccessIssue]
with contextlib.redirect_stdout(io.StringIO()):
    # Exudyn is optional, and its type hints contradict its own calls: hence Any
    exu: Any = import_module("exudyn")
    item: Any = import_module("exudyn.itemInterface")
    symbolic_function: Any = import_module("exudyn.advancedUtilities").CreateSymbolicUserFunction
    rigid_body_inertia: Any = import_module("exudyn.rigidBodyUtilities").RigidBodyInertia

STEPS = (300, 600, 900, 1200, 2400, 3600)
SPECTRAL_RADIUS = 0.8
JOINTS = {
    (True, 0): exu.JointType.RevoluteX,
    (True, 1): exu.JointType.RevoluteY,
    (False, 0): exu.JointType.PrismaticX,
    (False, 1): exu.JointType.PrismaticY,
    (False, 2): exu.JointType.PrismaticZ,
}


def rows(model: Model, reference: peers.Reference, steps: tuple[int, ...] = STEPS) -> list[dict[str, Any]]:
    """Work and precision of Exudyn: dt, steps, seconds, error."""
    return peers.work_precision(simulate, model, steps, reference)


def simulate(model: Model, dt: float) -> peers.Run:
    """Times [s], positions of the platform [m] and seconds of integration at a fixed step."""
    robot = ExudynRobot(model)
    settings = simulation_settings(model, dt)
    begin = time.perf_counter()
    robot.mbs.SolveDynamic(settings)
    seconds = time.perf_counter() - begin
    samples = robot.mbs.GetSensorStoredData(robot.sensor)
    return samples[:, 0], samples[:, 1:4], seconds


def simulation_settings(model: Model, dt: float) -> Any:
    """Settings of Exudyn: a fixed step, one thread, no files."""
    settings = exu.SimulationSettings()
    settings.parallel.numberOfThreads = 1
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = peers.sample_period(dt)
    integration = settings.timeIntegration
    integration.endTime = model.scenario.run.duration
    integration.numberOfSteps = peers.step_count(model, dt)
    integration.generalizedAlpha.spectralRadius = SPECTRAL_RADIUS
    integration.newton.useModifiedNewton = True
    integration.newton.relativeTolerance = 1e-5
    integration.newton.absoluteTolerance = 1e-8
    return settings


class ExudynRobot:
    """A model's tables as an Exudyn system, assembled."""

    def __init__(self, model: Model) -> None:
        """Convert the tables."""
        peers.check_supported(model)
        self.model = model
        self.tables: Any = model.tables
        self.gravity = np.array(self.tables.settings[0].gravity)
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        ground = self.mbs.AddNode(item.NodePointGround())
        self.world = self.mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
        # Exudyn's object and link for each of our nodes; the platform is an object without links
        self.places: dict[int, tuple[Any, int]] = {}
        for members in peers.trees(model):
            if members[0] == peers.platform_node(model):
                self.add_platform(members[0])
            else:
                self.add_tree(members)
        for closure in self.tables.closures:
            ends = [self.add_end(closure.node_a, closure.point_a), self.add_end(closure.node_b, closure.point_b)]
            self.mbs.AddObject(item.ObjectJointSpherical(markerNumbers=ends))
        self.mbs.Assemble()

    def add_platform(self, i: int) -> None:
        """The free body and the sensor at its origin."""
        node = self.tables.nodes[i]
        q = self.model.start_coordinates[node.coordinate :][:7]
        inertia = rigid_body_inertia(mass=float(node.mass), inertiaTensor=peers.inertia_matrix(node))
        body = self.mbs.CreateRigidBody(
            referencePosition=q[:3].tolist(),
            referenceRotationMatrix=np.reshape(quaternion_matrix(tuple(q[3:])), (3, 3)),
            inertia=inertia.Translated(np.array(node.com)),
            gravity=self.gravity.tolist(),
            nodeType=exu.NodeType.RotationRotationVector,
            returnDict=True,
        )
        self.places[i] = (body["bodyNumber"], -1)
        position = exu.OutputVariableType.Position
        sensor = item.SensorNode(nodeNumber=body["nodeNumber"], outputVariableType=position, storeInternal=True)
        self.sensor = self.mbs.AddSensor(sensor)

    def add_tree(self, members: list[int]) -> None:
        """One kinematic tree; its coordinates count from the start."""
        links: list[dict[str, Any]] = []
        last = {0: -1}
        for i in members:
            links += self.node_links(i, last[int(self.tables.nodes[i].parent)], len(links))
            last[i] = len(links) - 1
        columns = {key: [link[key] for link in links] for key in links[0]}
        zeros = [0.0] * len(links)
        node = self.mbs.AddNode(item.NodeGenericODE2(
            referenceCoordinates=columns.pop("start"), initialCoordinates=zeros, initialCoordinates_t=zeros,
            numberOfODE2Coordinates=len(links),
        ))  # fmt: skip
        for key in ("jointTransformations", "linkInertiasCOM"):
            columns[key] = exu.Matrix3DList(columns[key])
        for key in ("jointOffsets", "linkCOMs"):
            columns[key] = exu.Vector3DList(columns[key])
        columns["jointVelocityOffsetVector"] = zeros
        number = self.mbs.AddObject(item.ObjectKinematicTree(nodeNumber=node, gravity=self.gravity, **columns))
        for i in members:
            self.places[i] = (number, last[i])
            if self.tables.nodes[i].kind == JointKind.DRIVEN:
                self.add_drive(i, node, last[i] - 2)

    def node_links(self, i: int, parent: int, count: int) -> list[dict[str, Any]]:
        """Links of one node: the last carries the body, the others weigh nothing."""
        node = self.tables.nodes[i]
        is_driven = node.kind == JointKind.DRIVEN
        motions = MOTIONS[JointKind(node.kind)]
        links = []
        for k, motion in enumerate(motions):
            is_first, is_last = k == 0, k == len(motions) - 1
            column = None if is_driven else self.tables.columns[node.column + k]
            links.append({
                "jointTypes": JOINTS[motion],
                "linkParents": parent if is_first else count + k - 1,
                "jointTransformations": np.array(node.rotation).reshape(3, 3) if is_first else np.eye(3),
                "jointOffsets": np.array(node.start if is_driven else node.offset) if is_first else np.zeros(3),
                "linkMasses": float(node.mass) if is_last else 0.0,
                "linkCOMs": np.array(node.com) if is_last else np.zeros(3),
                "linkInertiasCOM": peers.inertia_matrix(node) if is_last else np.zeros((3, 3)),
                "jointPControlVector": float(column.stiffness) if column is not None else 0.0,
                "jointDControlVector": float(column.damping) if column is not None else 0.0,
                "jointPositionOffsetVector": float(column.free) if column is not None else 0.0,
                "start": float(self.model.start_coordinates[column.coordinate]) if column is not None else 0.0,
            })  # fmt: skip
        return links

    def add_drive(self, i: int, node: Any, first: int) -> None:
        """Hold the three coordinates of a driven point to their signals."""
        for k, signal in enumerate(self.tables.nodes[i].signal):
            marker = self.mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=first + k))
            offset = symbolic_function(
                self.mbs, offset_function(self.tables, int(signal)), "offsetUserFunction",
                itemTypeName="ObjectConnectorCoordinate",
            ) if signal >= 0 else 0  # fmt: skip
            constraint = item.ObjectConnectorCoordinate(markerNumbers=[self.world, marker], offsetUserFunction=offset)
            self.mbs.AddObject(constraint)

    def add_end(self, i: int, point: np.ndarray) -> Any:
        """A marker at a closure's end."""
        number, link = self.places[int(i)]
        if link < 0:
            return self.mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=number, localPosition=point.tolist()))
        marker = item.MarkerKinematicTreeRigid(objectNumber=number, linkNumber=link, localPosition=point.tolist())
        return self.mbs.AddMarker(marker)


def offset_function(tables: Any, signal: int) -> Any:
    """A signal as an expression of Exudyn's symbolic library."""
    terms = tables.terms[tables.signals[signal].term :][: tables.signals[signal].term_count]

    def offset(_mbs, t, _item_number, _offset):
        total = 0.0 * t
        for term in terms:
            # outside its interval a term keeps the value at the nearer end
            within = exu.symbolic.max(exu.symbolic.min(t, float(term.end)), float(term.start))
            if term.kind == TermKind.SINUSOID:
                turn = exu.symbolic.sin(float(term.omega) * within + float(term.phase))
                total = total + float(term.amplitude) * turn + float(term.offset)
            else:
                total = total + piecewise(tables.pieces[term.piece :][: term.piece_count], within)
        return total

    return offset


def piecewise(pieces: Any, t: Any) -> Any:
    """The polynomial of the piece that holds t."""
    value = horner(pieces[-1], t)
    for k in range(len(pieces) - 2, -1, -1):
        value = exu.symbolic.IfThenElse(t < float(pieces[k + 1].start), horner(pieces[k], t), value)
    return value


def horner(piece: Any, t: Any) -> Any:
    """Value of one piece."""
    u = (t - float(piece.mid)) * (1.0 / float(piece.half))
    value = 0.0 * u
    for c in piece.coefficient[piece.degree :: -1]:
        value = value * u + float(c)
    return value
