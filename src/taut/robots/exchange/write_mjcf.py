"""A machine as MJCF, so that a run of MuJoCo can be compared with ours.

The text is written here, without MuJoCo. It is the machine at its start: what changes by signals stands still, and what
MJCF cannot say is listed by name at the top of the file.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from taut.dynamics.residual import place
from taut.integrate.start.start_state import start_state
from taut.model import Data, Model
from taut.robots.exchange.labels import LeftOut
from taut.robots.exchange.write_bodies import BodyWriter, text
from taut.robots.exchange.write_cables import CableWriter
from taut.robots.exchange.write_shapes import add_shapes
from taut.scenario.records.orientation import rotation_from_quaternion

ABOUT = "Written by taut. The keyframe start has the velocities and forces at the start; its positions are qpos0."
STEP = "0.001"  # time step that the file asks of MuJoCo, as text [s]


@dataclass(frozen=True)
class Exported:
    """The text of a file, and what MJCF cannot express of the machine."""

    text: str
    not_said: tuple[str, ...]


def write_mjcf(model: Model) -> Exported:
    """The machine of a model at its start as MJCF.

    Raises:
        ScenarioError: its loops cannot be closed, or it has parts without which nothing of it is left in MJCF.
    """
    data, left = start_state(model).data, LeftOut()
    place(model.tables, data)
    root = Element("mujoco", model=model.scenario.name if model.scenario is not None else "machine")
    SubElement(root, "compiler", angle="radian", autolimits="true")
    option = SubElement(root, "option", gravity=text(model.tables.settings[0].gravity), timestep=STEP)
    SubElement(option, "flag", contact="disable")
    bodies = BodyWriter(model, data, SubElement(root, "worldbody"), left)
    cables = CableWriter(model, data, bodies, left)
    add_shapes(model, bodies)
    root.extend(part for part in (cables.tendons, cables.equalities) if len(part))
    add_forces(root, data, bodies)
    for kind, name in unsaid(model):
        left.add(kind, name)
    for joint, _, row in bodies.columns:
        if row.signal >= 0:
            left.add("forces over time (a motor has that at the start), on", joint)
    add_keyframe(root, model, data, bodies)
    indent(root)
    lines = [ABOUT, *(f"not said: {line}" for line in left.lines())]
    comment = "\n".join(f"  {line.replace('--', '- -')}" for line in lines)
    return Exported(f"<!--\n{comment}\n-->\n{tostring(root, encoding='unicode')}\n", left.lines())


def add_forces(root: Element, data: Data, bodies: BodyWriter) -> None:
    """A motor for every coordinate on which a force acts by a signal, or that is actuated."""
    motors = SubElement(root, "actuator")
    for joint, _, row in bodies.columns:
        if row.signal >= 0 or row.is_actuated:
            SubElement(motors, "motor", name=f"{joint} force", joint=joint)
    if not len(motors):
        root.remove(motors)


def add_keyframe(root: Element, model: Model, data: Data, bodies: BodyWriter) -> None:
    """Rates and forces at the start in the order of MuJoCo: joints as they stand in the file."""
    columns = {name: column for name, column, _ in bodies.columns} | dict(bodies.balls)
    q: list[float] = []
    v: list[float] = []
    for joint in (
        element for element in root.iter() if element.tag in ("joint", "freejoint") and "joint1" not in element.attrib
    ):
        c, is_free = columns[joint.get("name", "")], joint.tag == "freejoint"
        first = int(model.tables.columns[c].coordinate)
        if joint.get("type", "ball") != "ball":
            q.append(float(data.q[first]))
            v.append(float(data.v[c]))
            continue
        slides = 3 if is_free else 0
        turn = data.q[first + slides : first + slides + 4]
        # MuJoCo measures a ball joint from the reference position and a free body from the world; both angular
        # velocities are in the body's axes
        q += [*data.q[first : first + slides], *(turn if is_free else (1.0, 0.0, 0.0, 0.0))]
        v += [*data.v[c : c + slides], *(rotation_from_quaternion(turn).T @ data.v[c + slides : c + slides + 3])]
    u = [float(data.signals[row.signal, 0]) if row.signal >= 0 else 0.0
         for _, _, row in bodies.columns if row.signal >= 0 or row.is_actuated]  # fmt: skip
    key = SubElement(SubElement(root, "keyframe"), "key", name="start", qpos=text(q), qvel=text(v))
    if np.any(u):
        key.set("ctrl", text(u))


def unsaid(model: Model) -> Iterator[tuple[str, str]]:
    """Features of a scenario that MJCF of the machine at its start leaves out."""
    scenario: Any = model.scenario
    if scenario is None:
        return
    groups = {"drivers, which stand still here": scenario.drivers, "controllers": scenario.controllers,
              "measurements": scenario.measurements}  # fmt: skip
    for kind, group in groups.items():
        yield from ((kind, name) for name in group)
    for k, force in enumerate(scenario.all_forces()):
        yield "forces on bodies", force.name or f"force {k + 1} on {force.body}"
    for kind, records in (("events", scenario.events), ("failures", scenario.all_failures())):
        yield from ((kind, record.name) for record in records)
    if scenario.ground is not None:
        yield "ground under", scenario.ground.body
