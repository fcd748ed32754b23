"""What the machine is (Model) and where it stands (Data, Factor)."""

from taut.model.data import Data, Factor, data_beside, new_data, new_factor, set_moment
from taut.model.model import Model

__all__ = ["Data", "Factor", "Model", "data_beside", "new_data", "new_factor", "set_moment"]
