"""Bodies: mass properties, and what contradicts itself."""

import numpy as np
import pytest
from pydantic import ValidationError

from taut.scenario.records.body import Body

REFUSED = {
    "nothing": {},
    "massless with mass": {"massless": True, "mass": 1},
    "mass and density": {"mass": 1, "density": 1, "sphere": {"radius": 1}},
    "two shapes": {"mass": 1, "box": [1, 1, 1], "sphere": {"radius": 1}},
    "density alone": {"density": 1},
    "negative inertia": {"mass": 1, "inertia": [1, 1, -1]},
    "tube inside out": {"mass": 1, "tube": {"inner": 2, "outer": 1, "length": 1}},
    "velocity on a hinge": {"mass": 1, "velocity": [0, 0, 0], "joint": {"kind": "revolute"}},
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    with pytest.raises(ValidationError):
        Body(**REFUSED[name])


@pytest.mark.parametrize("inertia", [[1, 2, 3], np.diag([1, 2, 3]).tolist(), np.diag([1.0, 2.0, 3.0])])
def test_inertia_forms(inertia):
    mass, com, tensor = Body(mass=2, inertia=inertia, com=(1, 2, 3)).mass_properties()
    assert (mass, com.tolist(), tensor.tolist()) == (2, [1, 2, 3], np.diag([1, 2, 3]).tolist())


def test_point_mass_and_massless():
    assert not Body(mass=2).mass_properties()[2].any()
    assert Body(massless=True).mass_properties()[0] == 0


def test_frozen():
    with pytest.raises(ValidationError):
        Body(mass=1).mass = 2


def test_one_inertia_is_enough_in_the_plane():
    import taut

    def rod(inertia, planar):
        machine = taut.Machine("rod", planar=planar)
        machine.body("rod", mass=2.0, inertia=inertia, com=[0.5, 0, 0], joint={"kind": "revolute", "axis": [0, -1, 0]})
        return machine.scenario()

    models = [taut.build(rod(inertia, True)) for inertia in (0.3, [0.3, 0.3, 0.3])]
    assert models[0].digest() == models[1].digest()
    with pytest.raises(taut.ScenarioError, match="one number is for planar machines"):
        rod(0.3, False)
