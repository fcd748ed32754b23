"""Seeds of runs: they belong to the number of the run, not to who computes it or when."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np


def run_seed(seed: int, run: int) -> int:
    """The seed of a run's noise."""
    return int(np.random.SeedSequence([seed, run]).generate_state(1)[0] >> 1)


RANDOM = ("noise", "drift", "losses")  # keys of measurements that draw random numbers


def has_noise(data: Any, varied: Iterable[str] = ()) -> bool:
    """Whether measurements of the scenario have noise, drift or losses, or are given them by keys that are varied."""
    if any(key.startswith("measurements.") and key.rpartition(".")[2] in RANDOM for key in varied):
        return True
    measurements = data.get("measurements") if isinstance(data, Mapping) else None
    entries = measurements.values() if isinstance(measurements, Mapping) else ()
    return any(isinstance(entry, Mapping) and any(entry.get(key) for key in RANDOM) for entry in entries)
