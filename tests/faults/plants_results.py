"""Faults planted between the engine and its audit: into the arrays of the recorder."""

from collections.abc import Callable

import numpy as np

Arrays = dict[str, np.ndarray]
Plant = Callable[[Arrays], None]


def scaled(name: str, factor: float, part: tuple = (), *, late: bool = False) -> Plant:
    """A factor on a part of a channel, at all times or in the second half of the run."""

    def plant(arrays: Arrays) -> None:
        first = len(arrays["time"]) // 2 if late else 0
        arrays[name][(slice(first, None), *part)] *= factor

    return plant


def shifted_sample(name: str) -> Plant:
    """One sample holds the values of the one before."""

    def plant(arrays: Arrays) -> None:
        k = busiest(arrays[name])
        arrays[name][k] = arrays[name][k - 1]

    return plant


def frozen(name: str, part: tuple = ()) -> Plant:
    """A part of a channel stands still from the middle of the run."""

    def plant(arrays: Arrays) -> None:
        k = len(arrays["time"]) // 2
        arrays[name][(slice(k, None), *part)] = arrays[name][(k, *part)]

    return plant


def late(name: str, count: int = 1) -> Plant:
    """A whole channel is some samples late."""

    def plant(arrays: Arrays) -> None:
        arrays[name][count:] = arrays[name][:-count].copy()

    return plant


def duplicated(arrays: Arrays) -> None:
    """One sample appears twice, and the following one is lost."""
    k = busiest(arrays["body_position"])
    for name, values in arrays.items():
        if name != "time" and len(values) == len(arrays["time"]):
            values[k] = values[k - 1]


def clock_late(arrays: Arrays) -> None:
    """From the middle of the run on, the samples have times half an interval later."""
    k = len(arrays["time"]) // 2
    arrays["time"][k:] += 0.5 * (arrays["time"][1] - arrays["time"][0])


def energy_added(arrays: Arrays) -> None:
    """A thousandth of the energy exchanged comes from nowhere."""
    k = len(arrays["time"]) // 2
    swing = max(np.ptp(arrays[name]) for name in ("energy_kinetic", "energy_gravity", "work_input"))
    arrays["energy_kinetic"][k:] += 1e-3 * swing


def exchanged(name: str, first: int, second: int) -> Plant:
    """Two columns of a channel change places."""

    def plant(arrays: Arrays) -> None:
        arrays[name][:, [first, second]] = arrays[name][:, [second, first]]

    return plant


def offset(name: str, value: tuple[float, ...] | float) -> Plant:
    """Something is added to a channel."""

    def plant(arrays: Arrays) -> None:
        arrays[name][...] += value

    return plant


def missing(name: str, part: tuple) -> Plant:
    """A part of a channel is NaN at all times, as padding is."""

    def plant(arrays: Arrays) -> None:
        arrays[name][(slice(None), *part)] = np.nan

    return plant


def busiest(values: np.ndarray) -> int:
    """The sample that differs most from the one before."""
    change = np.abs(np.diff(values.reshape(len(values), -1), axis=0)).max(axis=1)
    return int(np.argmax(change)) + 1
