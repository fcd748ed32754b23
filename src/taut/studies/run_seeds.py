"""Seeds of runs, which depend on the number of the run only."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np


def run_seed(seed: int, run: int) -> int:
    """The seed of the noise of one run."""
    return int(np.random.SeedSequence([seed, run]).generate_state(1)[0] >> 1)


RANDOM = ("noise", "drift", "losses")  # keys of measurements that draw random numbers


def has_noise(data: Any, varied: Mapping[str, Iterable[Any]] | None = None) -> bool:
    """Whether measurements of the scenario have noise, drift or losses, or are given them by what is varied.

    Args:
        data: the mapping of the scenario.
        varied: by key that the study sets, its values as far as they are listed: records have them inside.
    """
    for key, levels in (varied or {}).items():
        group, _, last = key.partition(".")
        if group == "measurements" and (last.rpartition(".")[2] in RANDOM or any(map(is_random, levels))):
            return True
    return is_random(data.get("measurements")) if isinstance(data, Mapping) else False


def is_random(entry: Any) -> bool:
    """Whether a record of a measurement, or one inside of it, draws random numbers."""
    if not isinstance(entry, Mapping):
        return False
    return any(entry.get(key) for key in RANDOM) or any(map(is_random, entry.values()))
