"""Frequency and step responses of a linear model, and their figures."""

from pathlib import Path
from typing import Any

import numpy as np

from taut.loop.linear.discrete import with_period
from taut.loop.linear.model import LinearModel
from taut.scenario.errors import Problem, ScenarioError

POINTS = 800  # number of frequencies of a figure, and of instants of a step response
NOTHING = 1e-12  # responses below this share of the largest are rounding
MOST_CURVES = 8  # largest number of outputs drawn in one figure


def frequency_response(model: LinearModel, omega: np.ndarray) -> np.ndarray:
    """H = C (s - A)^-1 B + D at s = i omega [rad/s], or at exp(i omega period); shape [frequency, output, input]."""
    n = len(model.A)
    points = np.exp(1j * omega * model.period) if model.period else 1j * omega
    return np.array([model.C @ np.linalg.solve(s * np.eye(n) - model.A, model.B) + model.D for s in points])


def step_response(model: LinearModel, times: np.ndarray) -> np.ndarray:
    """Outputs after a unit step of every input, at equidistant times from zero [s]; shape [time, output, input]."""
    step = model if model.period else with_period(model, float(times[1] - times[0]))
    x, found = np.zeros_like(model.B), []
    for _ in times:
        found.append(model.C @ x + model.D)
        x = step.A @ x + step.B
    return np.array(found)


def usual_frequencies(model: LinearModel) -> np.ndarray:
    """Frequencies about those of the outputs [rad/s]: the slowest pole that is not zero, to a hundred times above."""
    poles = np.log(model.poles + 0j) / model.period if model.period else model.poles
    sizes = np.abs(poles[np.abs(poles) > 1e-6])
    slow = float(sizes.min(initial=1.0 if not len(sizes) else np.inf))
    fast = np.pi / model.period if model.period else min(float(sizes.max(initial=slow)), 1e3 * slow)
    return np.geomspace(0.1 * slow, max(10.0 * slow, fast), POINTS)


def usual_times(model: LinearModel) -> np.ndarray:
    """Instants over a few times of the slowest pole that is not zero [s]."""
    slow = float(usual_frequencies(model)[0]) * 10.0
    if model.period:
        return np.arange(int(min(10 * 2 * np.pi / slow / model.period, 1e5)) + 2) * model.period
    return np.linspace(0.0, 5 * 2 * np.pi / slow, POINTS)


def draw_bode(model: LinearModel, path: str | Path) -> Path:
    """Magnitude and phase of every output, a column for every input."""
    omega = usual_frequencies(model)
    H = frequency_response(model, omega)[:, :MOST_CURVES]
    # do not draw outputs that an input does not move: their responses are rounding
    H[np.broadcast_to(np.abs(H).max(axis=0) <= NOTHING * np.abs(H).max(initial=0.0), H.shape)] = np.nan
    figure, axes = new_figure(model, 2)
    for k, name in enumerate(model.inputs):
        for j, output in enumerate(model.outputs[:MOST_CURVES]):
            axes[0, k].loglog(omega, np.abs(H[:, j, k]), label=output)
            axes[1, k].semilogx(omega, np.degrees(np.unwrap(np.angle(H[:, j, k]))))
        axes[0, k].set_title(label_of(name, model.input_units[k]))
        axes[1, k].set_xlabel("frequency [rad/s]")
    axes[0, 0].set_ylabel("magnitude [SI]")
    axes[1, 0].set_ylabel("phase [deg]")
    axes[0, 0].legend(fontsize="small")
    figure.suptitle(f"{model.name}: frequency response at {model.at}")
    figure.savefig(path)
    return Path(path)


def draw_step(model: LinearModel, path: str | Path) -> Path:
    """Every output after a unit step of every input."""
    times = usual_times(model)
    found = step_response(model, times)[:, :MOST_CURVES]
    figure, axes = new_figure(model, 1)
    for k, name in enumerate(model.inputs):
        for j, output in enumerate(model.outputs[:MOST_CURVES]):
            axes[0, k].plot(times, found[:, j, k], label=label_of(output, model.output_units[j]),
                            drawstyle="steps-post" if model.period else "default")  # fmt: skip
        axes[0, k].set_title(f"step of {label_of(name, model.input_units[k])}")
        axes[0, k].set_xlabel("time [s]")
    axes[0, 0].legend(fontsize="small")
    figure.suptitle(f"{model.name}: step response at {model.at}")
    figure.savefig(path)
    return Path(path)


def new_figure(model: LinearModel, rows: int) -> tuple[Any, Any]:
    """A figure with a column of axes for every input."""
    from matplotlib.figure import Figure

    if not model.inputs or not model.outputs:
        raise ScenarioError([Problem("a response needs an input and an output", remedy="name them: --input, --output")])
    figure = Figure(figsize=(max(6.0, 3.2 * len(model.inputs)), 3.0 * rows + 0.6), layout="constrained", dpi=120)
    axes = figure.subplots(rows, len(model.inputs), squeeze=False, sharex="col")
    for axis in axes.flat:
        axis.grid(True, alpha=0.3)
    return figure, axes


def label_of(name: str, unit: str) -> str:
    """A name with its unit."""
    return f"{name} [{unit}]" if unit else name
