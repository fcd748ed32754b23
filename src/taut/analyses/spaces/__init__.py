"""One machine in chosen coordinates: coefficient matrices, kinematics and motion in every space."""

from taut.analyses.spaces.kinematics import Pose, all_poses, forward_kinematics, inverse_kinematics
from taut.analyses.spaces.matrices import Coefficients, coefficients
from taut.analyses.spaces.motion import Motion, integrate
from taut.analyses.spaces.space import Space, new_space
from taut.analyses.spaces.table import compare
from taut.integrate.coordinates import SPACES

__all__ = [
    "SPACES",
    "Coefficients",
    "Motion",
    "Pose",
    "Space",
    "all_poses",
    "coefficients",
    "compare",
    "forward_kinematics",
    "integrate",
    "inverse_kinematics",
    "new_space",
]
