"""Seeds of runs: they belong to the number of the run, not to who computes it or when."""

from collections.abc import Mapping
from typing import Any

import numpy as np


def run_seed(seed: int, run: int) -> int:
    """The seed of a run's noise."""
    return int(np.random.SeedSequence([seed, run]).generate_state(1)[0] >> 1)


def has_noise(data: Any) -> bool:
    """Whether measurements of the scenario have noise."""
    measurements = data.get("measurements") if isinstance(data, Mapping) else None
    entries = measurements.values() if isinstance(measurements, Mapping) else ()
    return any(isinstance(entry, Mapping) and entry.get("noise") for entry in entries)
