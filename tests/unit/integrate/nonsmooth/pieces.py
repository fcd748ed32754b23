"""A machine with one-sided and two-sided rows, and a non-smooth method at its start."""

import taut
from taut.dynamics.residual import place, place_closures
from taut.integrate.settings import run_settings
from taut.integrate.simulate import Run


def held_box(**ground):
    """A turned box near rigid ground, held by one cable with mass: four or more one-sided rows and three others."""
    machine = taut.Machine("box on a cable")
    turn = {"quaternion": [0.98, 0.1, 0.15, 0.05]}
    machine.platform(mass=2.0, box=[0.3, 0.2, 0.1], position=[0, 0, 0.15], orientation=turn)
    machine.cable("C1", exit=[0.1, 0.05, 1.0], anchor=[0.1, 0.05, 0.05], kind="mrfe", elements=2, radius=2e-3,
                  mass_per_length=0.1, youngs_modulus=1e9, damping=1e6)  # fmt: skip
    machine.ground(law="rigid", friction=0, **ground)
    return taut.build(machine.scenario())


def method_of(model, **settings):
    """The method of a run that has not begun."""
    return Run(model, run_settings(model, {"integrator": "nonsmooth-alpha", **settings}), None).method


def placed_stage(method):
    """The stage's workspace at the start, with its rows."""
    data = method.work.stage
    place(method.model.tables, data)
    place_closures(method.model.tables, data)
    return data
