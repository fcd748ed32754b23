"""Figures of a study: main effects, heat maps, distributions; each as text for a page."""

import base64
from io import BytesIO
from typing import Any

import numpy as np
import xarray as xr

from taut.studies.answers.statistics import BINS, good_runs, main_effect, measure_columns, statistics

MOST_PARAMETERS, MOST_MEASURES = 8, 12
MOST_CELLS, FEWEST_CELLS = 8, 3  # cells of a heat map along an axis, for parameters with many values
LONGEST = 20  # letters of a value that is no number
# runs that a cell of a map and a level of a main effect have on average, if there are not enough for all of them: with
# one each, a picture would show the scatter by the other parameters
RUNS_IN_CELL, RUNS_IN_LEVEL, FEWEST_LEVELS = 3, 5, 3


def numbers(dataset: xr.Dataset) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Parameters and measures that vary, over the good runs."""
    good = good_runs(dataset)
    parameters = {str(name): dataset[name].values[good] for name in dataset.attrs["parameters"]}
    measures = {name: values[good] for name, values in measure_columns(dataset).items()}
    return ({name: own for name, own in parameters.items() if np.ptp(own) > 0.0} if good.any() else {},
            {name: own for name, own in measures.items() if np.isfinite(own).any() and np.nanmax(own) > np.nanmin(own)}
            if good.any() else {})  # fmt: skip


def drawn(figure: Any) -> str:
    """A figure as a data: URL for a page."""
    import matplotlib.pyplot as plt

    memory = BytesIO()
    figure.savefig(memory, format="png", dpi=130)
    plt.close(figure)
    return f"data:image/png;base64,{base64.b64encode(memory.getvalue()).decode('ascii')}"


def new_figure(rows: int, columns: int, size: tuple[float, float]) -> tuple[Any, np.ndarray]:
    """Panels in the look of all figures."""
    import matplotlib

    matplotlib.use("Agg", force=False)
    import matplotlib.pyplot as plt

    from taut.views.plots.style import SETTINGS

    with plt.rc_context(SETTINGS):
        figure, axes = plt.subplots(rows, columns, figsize=(size[0] * columns, size[1] * rows), squeeze=False,
                                    layout="constrained")  # fmt: skip
    return figure, axes


def label(dataset: xr.Dataset, name: str) -> str:
    """Name and unit of a parameter or measure."""
    known = name if name in dataset else name.rpartition(".")[0]
    unit = dataset[known].attrs.get("units", "") if known in dataset else ""
    short = name if len(name) <= 28 else "..." + name[-25:]
    return f"{short} [{unit}]" if unit and unit != "1" else short


def levels_of(dataset: xr.Dataset, name: str) -> list[str] | None:
    """Values of a parameter that is no number."""
    import json

    text = dataset[name].attrs.get("levels") if name in dataset.coords else None
    if not text:
        return None
    texts = [str(level) for level in json.loads(text)]
    short = [own if len(own) <= LONGEST else f"{own[: LONGEST - 3]}..." for own in texts]
    # records that begin alike are told apart by their numbers
    return short if len(set(short)) == len(short) else [f"{k}: {own}" for k, own in enumerate(short)]


def effects(dataset: xr.Dataset) -> list[tuple[str, str]]:
    """Title and address of main effects: mean of every measure over every parameter, with 95 % intervals."""
    parameters, measures = numbers(dataset)
    names, found = list(parameters)[:MOST_PARAMETERS], []
    for measure in list(measures)[:MOST_MEASURES]:
        figure, axes = new_figure(-(-len(names) // 4) or 1, min(len(names), 4) or 1, (2.6, 2.1))
        for axis in axes.flat[len(names) :]:
            axis.set_visible(False)
        y = measures[measure]
        is_there = np.isfinite(y)
        # a single parameter leaves no scatter to be averaged
        bins = BINS if len(names) < 2 else int(np.clip(is_there.sum() // RUNS_IN_LEVEL, FEWEST_LEVELS, BINS))
        for axis, name in zip(axes.flat, names, strict=False):
            levels, means, halves = main_effect(parameters[name][is_there], y[is_there], bins)
            axis.errorbar(levels, means, halves, fmt="o-", color="#0072B2", markersize=3, capsize=2, linewidth=1.2)
            axis.set_xlabel(label(dataset, name))
            axis.margins(0.06)
            texts = levels_of(dataset, name)
            if texts:
                axis.set_xticks(range(len(texts)), texts, rotation=30)
        # one range of the measure in all panels, so that effects can be compared
        ends = [limit for axis in axes.flat[: len(names)] for limit in axis.get_ylim()]
        for axis in axes.flat[: len(names)]:
            axis.set_ylim(min(ends), max(ends))
        for axis in axes[:, 0]:
            axis.set_ylabel(label(dataset, measure))
        found.append((measure, drawn(figure)))
    return found


def heat_maps(dataset: xr.Dataset) -> list[tuple[str, str]]:
    """Title and address of maps of every measure over pairs of the first four parameters."""
    parameters, measures = numbers(dataset)
    names = list(parameters)[:4]
    pairs = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
    if not pairs:
        return []
    found = []
    for measure in list(measures)[:MOST_MEASURES]:
        figure, axes = new_figure(-(-len(pairs) // 3), min(len(pairs), 3), (3.4, 2.7))
        for axis in axes.flat[len(pairs) :]:
            axis.set_visible(False)
        maps = [cells(parameters[a], parameters[b], measures[measure]) for a, b in pairs]
        low, high = (f([f(mean) for _, _, mean in maps]) for f in (np.nanmin, np.nanmax))
        for axis, (a, b), (x, y, mean) in zip(axes.flat, pairs, maps, strict=False):
            shown = np.ma.masked_invalid(mean.T)
            picture = axis.pcolormesh(x, y, shown, cmap="viridis", shading="flat", vmin=low, vmax=high)
            axis.set_xlabel(label(dataset, a))
            axis.set_ylabel(label(dataset, b))
            for mark, name, turn in ((axis.set_xticks, a, 30), (axis.set_yticks, b, 60)):
                texts = levels_of(dataset, name)
                if texts:
                    mark(range(len(texts)), texts, rotation=turn)
            axis.grid(False)
            figure.colorbar(picture, ax=axis).ax.tick_params(labelsize=7)
        found.append((measure, drawn(figure)))
    return found


def cells(a: np.ndarray, b: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges along both axes and the mean of z in every cell; NaN where there is no run."""
    (i, x), (j, y) = _cut(a), _cut(b)
    is_there = np.isfinite(z)
    shape = (len(x) - 1, len(y) - 1)
    count, total = np.zeros(shape), np.zeros(shape)
    np.add.at(count, (i[is_there], j[is_there]), 1.0)
    np.add.at(total, (i[is_there], j[is_there]), z[is_there])
    return x, y, np.where(count > 0.0, total / np.maximum(count, 1.0), np.nan)


def _cut(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cell of every value, and edges of the cells: one for each of a few levels, else cells of equal width."""
    levels = np.unique(values)
    if len(levels) <= min(3 * MOST_CELLS, len(values) // 2):
        middles = 0.5 * (levels[:-1] + levels[1:])
        first, last = levels[0] - (middles[0] - levels[0]), levels[-1] + (levels[-1] - middles[-1])
        return np.searchsorted(middles, values), np.array([first, *middles, last])
    count = int(np.clip(np.sqrt(len(values) / RUNS_IN_CELL), FEWEST_CELLS, MOST_CELLS))
    edges = np.linspace(values.min(), values.max(), count + 1)
    return np.clip(np.searchsorted(edges, values, side="right") - 1, 0, count - 1), edges


def distributions(dataset: xr.Dataset, *, is_sampled: bool) -> list[tuple[str, str]]:
    """Title and address of histogram and distribution function of every measure, with 95 % bands.

    The band of the distribution function is that of Dvoretzky, Kiefer and Wolfowitz: sqrt(ln(2/0.05) / 2n) up and down.
    """
    own, (_, measures), found = statistics(dataset), numbers(dataset), []
    for measure in list(measures)[:MOST_MEASURES]:
        values = np.sort(measures[measure][np.isfinite(measures[measure])])
        figure, axes = new_figure(1, 2, (4.0, 2.2))
        axes[0, 0].hist(
            values, bins="auto" if len(values) > 30 else 10, color="#56B4E9", edgecolor="white", linewidth=0.4
        )
        axes[0, 0].set_ylabel("runs")
        share = np.arange(1, len(values) + 1) / len(values)
        axes[0, 1].step(values, share, where="post", color="#0072B2")
        axes[0, 1].set_ylabel("share of runs below")
        if is_sampled:
            half = np.sqrt(np.log(2 / 0.05) / (2 * len(values)))
            low, high = np.clip(share - half, 0, 1), np.clip(share + half, 0, 1)
            axes[0, 1].fill_between(values, low, high, step="post", color="#0072B2", alpha=0.2, linewidth=0)
            axes[0, 0].axvspan(*own[measure].interval, color="#D55E00", alpha=0.4, linewidth=0)
        axes[0, 0].axvline(own[measure].mean, color="#D55E00", linewidth=1)
        for axis in axes[0]:
            axis.set_xlabel(label(dataset, measure))
        found.append((measure, drawn(figure)))
    return found
