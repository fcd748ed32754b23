"""The audit's facts about cables: the range of tension, and when and where they were slack."""

from typing import Any

import numpy as np

from taut.results.channels import rounding_tension
from taut.results.variables import Variables

NOTE = "note"
MOST_INTERVALS = 200  # most slack intervals that are listed; further ones are only counted
ENDS = {"exit": "cable_tension_exit", "anchor": "cable_tension_anchor"}


def tension_line(dataset: Variables) -> dict[str, Any] | None:
    """Smallest and largest tension in the elements of every cable, with time and element, and largest at its ends."""
    if "cable_tension" not in dataset:
        return None
    channel = dataset["cable_tension"].transpose("cable", "time", "element")
    tension, time, elements = channel.values, dataset["time"].values, dataset["element"].values
    # tensions within rounding count as zero, not as pushing; non-finite values are reported by finite_line
    tension = np.where(np.abs(tension) <= rounding_tension(tension), 0.0, tension)
    tension = np.where(np.isfinite(tension), tension, np.nan)
    ends, counts, ranges = _ends(dataset), _counts(dataset), _ranges(tension, time, elements)
    cables = [{"cable": str(cable), **ranges[i]}
              | ({"elements": counts[cable]} if counts.get(cable) else {})
              | {name: values[i] for name, values in ends.items() if np.isfinite(values[i])}
              for i, cable in enumerate(dataset["cable"].values)]  # fmt: skip
    return {"verdict": NOTE, "cables": cables}


def slack_line(dataset: Variables) -> dict[str, Any] | None:
    """Intervals of time in which elements of a cable were slack, from the first to the last slack sample.

    Neighbouring elements that were slack from the same sample to the same sample share an entry; one that carried load
    in between has an entry for each time.
    """
    if "cable_slack" not in dataset:
        return None
    slack = dataset["cable_slack"].transpose("cable", "time", "element")
    time, elements = dataset["time"].values, dataset["element"].values
    found, counts = [], _counts(dataset)
    for cable, values in zip(dataset["cable"].values, slack.values, strict=True):
        for low, high, first, last in _groups(values):
            interval = {"from": float(time[first]), "to": float(time[last])}
            found.append({"cable": str(cable), "elements": [int(elements[low]), int(elements[high])],
                          **({"of": counts[cable]} if counts.get(cable) else {}), **interval})  # fmt: skip
    return {"verdict": NOTE, "count": len(found), "intervals": found[:MOST_INTERVALS]}


def _counts(dataset: Variables) -> dict[Any, int]:
    """Number of elements by cable; empty where it is not known."""
    if "cable_element_count" not in dataset:
        return {}
    return dict(zip(dataset["cable"].values, dataset["cable_element_count"].values.tolist(), strict=True))


def _groups(values: np.ndarray) -> list[tuple[int, int, int, int]]:
    """Neighbouring elements with the same interval: first and last element, first and last sample, in order of time."""
    found: list[list[int]] = []
    latest: dict[tuple[int, int], list[int]] = {}
    for j, first, last in _runs(values):
        group = latest.get((first, last))
        if group is not None and group[1] == j - 1:
            group[1] = j
        else:
            latest[first, last] = group = [j, j, first, last]
            found.append(group)
    return sorted((tuple(group) for group in found), key=lambda group: (group[2], group[0]))  # type: ignore[misc]


def _ranges(tension: np.ndarray, time: np.ndarray, elements: np.ndarray) -> list[dict[str, Any]]:
    """Smallest and largest tension of every cable; NaN does not count."""
    lines: list[dict[str, Any]] = [{} for _ in tension]
    if not tension.size:
        return lines
    flat = tension.reshape(len(tension), -1)
    unknown = np.isnan(flat)
    found = {
        "min": np.where(unknown, np.inf, flat).argmin(axis=1),
        "max": np.where(unknown, -np.inf, flat).argmax(axis=1),
    }
    for i in np.flatnonzero(~unknown.all(axis=1)):
        for name, at in found.items():
            k, j = divmod(int(at[i]), len(elements))
            value = float(flat[i, at[i]])
            lines[i] |= {name: value, f"{name}_time": float(time[k]), f"{name}_element": int(elements[j])}
    return lines


def _ends(dataset: Variables) -> dict[str, list[float]]:
    """Largest tension of every cable at exit and anchor [N]: it has the weight and inertia of the half elements too."""
    found = {}
    for end, name in ENDS.items():
        if name in dataset:
            values = dataset[name].transpose("cable", "time").values
            values = np.where(np.isfinite(values), values, -np.inf)
            found[f"{end}_max"] = values.max(axis=1, initial=-np.inf).tolist()
    return found


def _runs(flags: np.ndarray) -> list[tuple[int, int, int]]:
    """Column, first and last row of every unbroken run of True in a column."""
    if not flags.any():
        return []
    padded = np.zeros((flags.shape[1], len(flags) + 2), np.int8)
    padded[:, 1:-1] = flags.T
    column, row = np.nonzero(np.diff(padded, axis=1))
    # a run begins and ends within its column: edges come in pairs
    return list(zip(column[::2].tolist(), row[::2].tolist(), (row[1::2] - 1).tolist(), strict=True))
