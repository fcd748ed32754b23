"""Processor times of full and reduced models, side by side."""

import time
from collections.abc import Mapping
from typing import Unpack

import numpy as np

from taut.integrate.reduced.residual import indicator_of
from taut.integrate.run.bare import integrate
from taut.integrate.samples.raw import channels
from taut.integrate.settings import Settings
from taut.model import Model, new_data


def processor_times(models: Mapping[str, Model], repeats: int, **settings: Unpack[Settings]) -> dict[str, np.ndarray]:
    """Seconds of integration, sampling, expansion to all channels and indicators, each model ``repeats`` times.

    The models take turns, so that other load on the computer affects all of them; the first turn, which may compile,
    is not counted.
    """
    taken = {name: np.zeros(repeats) for name in models}
    indicators = {name: indicator_of(model, new_data(model)) for name, model in models.items()}
    for turn in range(-1, repeats):
        for name, model in models.items():
            run, indicator = integrate(model, **settings), indicators[name]
            begin = time.process_time()
            found = channels(model, new_data(model), run.samples, len(run.samples.times))
            if indicator is not None:
                indicator({"time": run.samples.times, **found})
            if turn >= 0:
                taken[name][turn] = run.processor_seconds + time.process_time() - begin
    return taken
