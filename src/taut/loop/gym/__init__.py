"""Gymnasium environments of machines: one, many at once, and three registered examples.

``make(scenario, reward=..., horizon=...)`` gives an environment, ``make_vector`` many of them in one. Importing this
module registers the examples: ``gymnasium.make("taut/CraneAntiSwing-v0")``.
"""

from taut.scenario.errors import Problem, ScenarioError

try:
    import gymnasium as _  # noqa: F401
except ImportError:
    remedy = 'pip install "taut[loop]" (or gymnasium)'
    raise ScenarioError([Problem("gymnasium is not installed", remedy=remedy)]) from None

from taut.loop.gym.env import Env, make
from taut.loop.gym.examples import EXAMPLES
from taut.loop.gym.vector import VectorEnv, make_vector

__all__ = ["EXAMPLES", "Env", "VectorEnv", "make", "make_vector", "register_examples"]


def register_examples() -> None:
    """Tell gymnasium of the examples."""
    from gymnasium.envs.registration import register, registry

    for name, example in EXAMPLES.items():
        if name not in registry:
            place = f"taut.loop.gym.examples:{example.__name__}"
            register(name, entry_point=place, vector_entry_point=f"{place}_many")


register_examples()
