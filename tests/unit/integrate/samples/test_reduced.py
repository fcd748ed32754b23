"""Samples of a reduced cable against its fields, element by element."""

import numpy as np
import pytest

from reference.reduced import directions_of
from taut.build.reduction.reduced import CableShapes
from taut.integrate.samples.reduced import expand_cable


@pytest.mark.parametrize("is_spatial", [False, True])
def test_expanded_cable_is_the_sum_of_its_elements(is_spatial):
    rng = np.random.default_rng(4)
    elements, directions, lengths, samples = 5, 3, 2, 4
    mean, shapes = rng.normal(size=(3, elements)), rng.normal(size=(3, directions + lengths, elements))
    mean[2], shapes[:2, directions:], shapes[2, :directions] = 0.5, 0.0, 0.0
    if not is_spatial:
        mean[1], shapes[1] = 0.0, 0.0
    frame = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    cable = CableShapes(frame, mean, shapes, directions, elements, is_spatial)
    z, rates = rng.normal(size=(2, samples, directions + lengths))
    begins, law = rng.normal(size=(samples, 3)), np.array([7.0, 0.3, 0.45])
    nodes, ends = np.zeros((samples, elements + 1, 3)), np.zeros((samples, 2, 3))
    tensions = np.zeros((samples, elements))
    scratch = np.zeros((4, elements))
    expand_cable(mean, shapes, directions, frame, begins, z, rates, law, nodes, tensions, ends, scratch)
    fields = cable.fields(z)
    t = directions_of(cable, fields)
    assert nodes[:, 0] == pytest.approx(begins)
    assert np.diff(nodes, axis=1) == pytest.approx(fields[:, 2, :, None] * t, abs=1e-13)
    assert ends == pytest.approx(t[:, [0, -1]], abs=1e-14)
    stretch = rates @ shapes[2]
    assert tensions == pytest.approx(7.0 * (fields[:, 2] - 0.45) + 0.3 * stretch, abs=1e-13)
