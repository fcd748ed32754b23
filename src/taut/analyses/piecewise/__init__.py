"""Trajectory-piecewise-linear forces [Tempel2018, Eq. 9]: the published recipe of a planar cable robot, measured."""

from taut.analyses.piecewise.model import linearise
from taut.analyses.piecewise.run import Outcome, integrate_forces

__all__ = ["Outcome", "integrate_forces", "linearise"]
