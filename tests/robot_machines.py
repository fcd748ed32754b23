"""Robots for tests: a suspended one with eight cables, a planar one, a point on three cables."""

from functools import cache

import numpy as np

from taut.robots.robot import Robot


def eight_cables(**changes):
    """A platform on eight cables, two redundant: the exits and anchors of IPAnema 3."""
    exits = np.array(
        [
            [-8.544, 5.463, 3.202],
            [8.184, 5.692, 3.236],
            [8.224, -5.492, 3.25],
            [-8.491, -5.322, 3.221],
            [-8.192, 5.648, -0.589],
            [7.208, 6.463, -0.548],
            [7.869, -5.557, -0.527],
            [-8.27, -5.545, -0.582],
        ]
    )
    anchors = np.array(
        [
            [-0.07, 0.648, -0.26],
            [0.06, 0.648, -0.262],
            [0.06, -0.651, -0.262],
            [-0.07, -0.651, -0.26],
            [-0.085, 0.748, 0.261],
            [0.095, 0.749, 0.26],
            [0.095, -0.745, 0.26],
            [-0.085, -0.746, 0.261],
        ]
    )
    given = {"exits": exits, "anchors": anchors, "tension_min": 20.0, "tension_max": 900.0, "mass": 12.0,
             "com": (0.02, -0.01, 0.05), "inertia": np.diag([0.4, 0.5, 0.6]), "stiffness": 2e5, "mass_per_length": 0.02,
             "home": (0.2, 0.1, 1.3, 0.0, 0.0, 0.0)}  # fmt: skip
    return Robot("eight", tuple(f"C{k}" for k in range(1, 9)), **(given | changes))


def planar(**changes):
    """A bar on four cables in the x-z plane, one redundant."""
    exits = np.array([[-2, 0, 3], [2, 0, 3], [2, 0, 0], [-2, 0, 0]], float)
    anchors = np.array([[-0.3, 0, 0.1], [0.3, 0, 0.1], [0.3, 0, -0.1], [-0.3, 0, -0.1]])
    given = {
        "exits": exits,
        "anchors": anchors,
        "tension_min": 5.0,
        "tension_max": 400.0,
        "mass": 4.0,
        "home": (0.1, 0.0, 1.4, 0.0, 0.0, 0.0),
    }
    return Robot("planar", tuple("abcd"), **({"freedom": "planar-xz"} | given | changes))


def point(**changes):
    """A point on three cables."""
    exits = np.array([[0, 0, 5], [6, 0.5, 5.2], [2.5, 5, 4.8]])
    given = {
        "exits": exits,
        "anchors": np.zeros((3, 3)),
        "tension_min": 10.0,
        "tension_max": 400.0,
        "mass": 20.0,
        "home": (2.5, 1.5, 2.0, 0, 0, 0),
    }
    return Robot("point", tuple("abc"), **({"freedom": "point"} | given | changes))


@cache
def hall():
    """The static workspace of the eight cables in a region that cuts it off below; boundary and volume found."""
    from taut.robots.workspaces.workspace import workspace

    region = {"x": (-8, 8), "y": (-5, 5), "z": (1.0, 4.0)}
    return workspace(eight_cables(), region, grid=[9, 8, 7], kind="static", surface=True, volume=0.2)


ROPES = """
taut: 1
name: platform on pulleys
platform: {mass: 30, box: [0.8, 0.6, 0.3], position: [0.1, -0.15, 1.5]}
defaults: {cable: {kind: spring, axial_stiffness: 2e5, tension_limits: [20, 2000]}}
cables:
  - name: tackle
    exit: [-3, -2, 4]
    via: [{kind: sheave, body: platform, point: [-0.4, -0.3, 0.2], radius: 0.06}]
    body: world
    anchor: [-2.5, -2.6, 4.1]
  - name: block
    exit: [3, -2, 4]
    via:
      - {kind: sheave, point: [2.6, -2, 4.2], radius: 0.1, axis: [0.5, 1, 0.05]}
      - {kind: sheave, body: platform, point: [0.4, -0.3, 0.2], radius: 0.05, axis: [0.3, 1, 0.2], side: under}
    body: world
    anchor: [2.0, -2.4, 4]
  - name: eye
    exit: [3, 2, 4]
    pulley: {radius: 0.08}
    via: [{kind: pinhole, body: platform, point: [0.4, 0.3, 0.15]}]
    body: world
    anchor: [2.4, 2.6, 3.9]
  - name: castor
    exit: [-3, 2, 4]
    pulley: {radius: 0.07}
    via: [{kind: sheave, body: platform, point: [-0.4, 0.3, 0.15], radius: 0.05}]
    body: world
    anchor: [-2.2, 2.7, 4.2]
  - name: wound
    exit: [-0.3, -0.25, -0.15]
    exit_body: platform
    via: [{kind: sheave, point: [-3, -2, 0.3], radius: 0.1, axis: [0.1, 0.2, 1]}]
    body: platform
    anchor: [-0.4, -0.3, 0.15]
  - {name: S2, exit: [3, -2, 0.1], anchor: [0.4, -0.3, -0.15], pulley: {radius: 0.05}}
  - {name: S3, exit: [3, 2, 0.0], via: [{kind: pinhole, point: [2.9, 1.9, 0.2]}], anchor: [0.4, 0.3, -0.15]}
  - {name: S4, exit: [-3, 2, 0.1], anchor: [-0.4, 0.3, -0.15]}
initial: {solve: equilibrium}
run: {duration: 1}
"""


@cache
def on_pulleys():
    """A scenario whose ropes run over guides on the platform and in the world, of every kind; three are plain."""
    import tempfile
    from pathlib import Path

    import taut

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pulleys.yaml"
        path.write_text(ROPES)
        return taut.load(path)
