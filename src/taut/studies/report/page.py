"""The page of a study: one HTML file that needs no network and no other file."""

import json
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from taut.results.store import write_whole
from taut.studies.answers.sensitivity import METHODS, sensitivities
from taut.studies.answers.statistics import SAMPLED, counts, design_kind, good_runs, measure_columns, statistics
from taut.studies.report.figures import distributions, effects, heat_maps, label, levels_of, numbers
from taut.studies.running import STATUSES
from taut.studies.store import open_study

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
MOST_LINES = 3000  # largest number of runs drawn in parallel coordinates
MOST_FAILED, MOST_WORST = 50, 5
STYLE = """#parallel canvas { width: 100%; height: 420px; touch-action: none; cursor: crosshair; }
#parallel .readout { color: var(--soft); } code { font-size: 12.5px; } .figure { cursor: default; }
.figure img { width: auto; max-width: 100%; }"""


def write_study_report(path: str | Path, output: str | Path) -> Path:
    """Write the report of a study; whole or not at all."""
    return write_whole(output, study_page(open_study(path), str(path)).encode("utf-8"))


def study_page(dataset: xr.Dataset, name: str) -> str:
    """Page of a study: question, outcomes, dependence on what is varied, and runs worth a look."""
    is_sampled = design_kind(dataset) in SAMPLED
    sections = [("measures", "Measures", measures_html(dataset))]
    if design_kind(dataset) in METHODS.values() and good_runs(dataset).any():
        sections.append(("sensitivity", "Sensitivities", sensitivity_html(dataset)))
    for key, title, found in (("effects", "Main effects", effects(dataset)), ("maps", "Heat maps", heat_maps(dataset)),
                              ("distributions", "Distributions",
                               distributions(dataset, is_sampled=is_sampled))):  # fmt: skip
        if found:
            sections.append((key, title, "".join(_figure(*each) for each in found)))
    sections.append(("parallel-part", "All runs", parallel_html(dataset)))
    sections.append(("worst", "Runs to look at", worst_html(dataset, name)))
    sections.append(("failed", "Runs that failed", failed_html(dataset, name)))
    sections.append(("study", "The study", study_html(dataset)))
    body = "".join(f'<h2 id="{key}">{title}</h2>{content}' for key, title, content in sections)
    return _page(dataset.attrs["title"], head_html(dataset) + body)


def _page(title: str, body: str) -> str:
    style = (files("taut.views.report") / "assets" / "report.css").read_text(encoding="utf-8")
    script = (files("taut.studies.report") / "assets" / "parallel.js").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f"<style>{style}\n{STYLE}</style></head>\n<body>{body}\n<script>{script}</script></body></html>\n"
    )


def _figure(title: str, address: str) -> str:
    return f'<h3>{escape(title)}</h3><div class="figure"><img src="{address}" alt="{escape(title, quote=True)}"></div>'


def head_html(dataset: xr.Dataset) -> str:
    """Title, design, and how many runs ended how."""
    found = counts(dataset)
    is_whole = found["good"] == found["runs"]
    words = "all runs good" if is_whole else f"{found['good']} of {found['runs']} runs good"
    badge = f'<span class="badge {"pass" if is_whole else "warn"}">{words}</span>'
    shown = {name: count for name, count in found.items() if count or name == "runs"}
    tiles = "".join(
        f'<div class="tile"><b>{count}</b><span>{escape(name)}</span></div>' for name, count in shown.items()
    )
    seconds = float(np.nansum(dataset["seconds"].values))
    tiles += f'<div class="tile"><b>{seconds:.4g} s</b><span>computing time</span></div>'
    about = f"<p>Design: {escape(design_kind(dataset))}. Statistics are those of good runs alone.</p>"
    title = escape(dataset.attrs["title"])
    return f'<h1>{title}{badge}</h1><div class="soft">{about}</div><div class="tiles">{tiles}</div>'


def measures_html(dataset: xr.Dataset) -> str:
    """Statistics of every measure."""
    heads = (
        "measure",
        "runs",
        "mean",
        "its 95 % interval",
        "deviation",
        "5 %",
        "median",
        "95 %",
        "min (run)",
        "max (run)",
    )
    rows = []
    for name, own in statistics(dataset).items():
        cells = [
            label(dataset, name),
            str(own.count),
            _number(own.mean),
            _interval(*own.interval),
            _number(own.deviation),
        ]
        cells += [f"{_number(value)}<br><span class=soft>{_interval(low, high)}</span>"
                  for value, low, high in own.quantiles.values()]  # fmt: skip
        cells += [f"{_number(value)} ({run})" for value, run in (own.least, own.most)]
        rows.append([escape(cells[0]), *cells[1:]])
    return table_html(heads, rows)


def table_html(heads: Any, rows: list[list[str]]) -> str:
    """A table; the cells are HTML already."""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _number(value: float) -> str:
    return f"{value:.5g}" if np.isfinite(value) else "-"


def _interval(low: float, high: float) -> str:
    return f"{_number(low)} to {_number(high)}" if np.isfinite(low) or np.isfinite(high) else "-"


def sensitivity_html(dataset: xr.Dataset) -> str:
    """Indices of every measure."""
    parts = []
    for own in sensitivities(dataset):
        keys = [key for key in own.columns if not key.endswith("_conf")]
        rows = [[escape(name), *(f"{own.columns[key][k]:.4g}" + (f" ± {own.columns[key + '_conf'][k]:.2g}"
                 if key + "_conf" in own.columns else "") for key in keys)]
                for k, name in enumerate(own.parameters)]  # fmt: skip
        parts.append(f"<h3>{escape(own.measure)}</h3>{table_html(['parameter', *keys], rows)}")
    return "".join(parts)


def parallel_html(dataset: xr.Dataset) -> str:
    """All runs as lines over parameters and measures."""
    parameters, measures = numbers(dataset)
    columns = {**parameters, **measures}
    if not columns:
        return "<p>No good runs yet.</p>"
    runs = np.flatnonzero(good_runs(dataset))
    every = max(1, -(-len(runs) // MOST_LINES))
    rows = [[*(float(own[k]) if np.isfinite(own[k]) else None for own in columns.values()), int(runs[k])]
            for k in range(0, len(runs), every)]  # fmt: skip
    limits = [[float(np.nanmin(own)), float(np.nanmax(own))] for own in columns.values()]
    levels = [levels_of(dataset, name) for name in columns]
    data = json.dumps({"names": list(columns), "rows": rows, "limits": limits, "levels": levels}, allow_nan=False)
    few = f" Every {every}th run is drawn." if every > 1 else ""
    return (
        f'<div id="parallel"><canvas></canvas><div class="readout"></div></div><p class="soft screen-only">Drag along '
        f"an axis to choose runs; click beside the axes to choose all. Colours follow the last axis.{few}</p>"
        f'<script type="application/json" id="parallel-data">{data.replace("</", "<" + chr(92) + "/")}</script>'
    )


def worst_html(dataset: xr.Dataset, name: str) -> str:
    """The largest and smallest values of each measure, with the command that repeats the run."""
    good, rows = good_runs(dataset), []
    for measure, values in measure_columns(dataset).items():
        runs = np.flatnonzero(good & np.isfinite(values))
        if not len(runs) or np.ptp(values[runs]) == 0.0:
            continue
        ordered = runs[np.argsort(values[runs], kind="stable")]
        picks = [("largest", run) for run in ordered[::-1][:MOST_WORST]] + [("smallest", run) for run in ordered[:2]]
        rows += [[escape(measure), what, str(run), _number(float(values[run])), _values(dataset, int(run)),
                  f"<code>taut run {escape(name)}#{run}</code>"] for what, run in picks]  # fmt: skip
    return table_html(("measure", "", "run", "value", "where", "to repeat it"), rows)


def _values(dataset: xr.Dataset, run: int) -> str:
    texts = []
    for name in dataset.attrs["parameters"]:
        levels, value = levels_of(dataset, name), dataset[name].values[run]
        texts.append(f"{name} = {levels[int(value)] if levels else f'{value:.6g}'}")
    return "<br>".join(escape(text) for text in texts)


def failed_html(dataset: xr.Dataset, name: str) -> str:
    """Table of the runs that failed, with the reasons."""
    status = dataset["status"].values
    runs = np.flatnonzero(~good_runs(dataset) & (status != 0))
    if not len(runs):
        return "<p>None.</p>"
    rows = [[str(run), STATUSES[status[run]], escape(str(dataset["cause"].values[run])), _values(dataset, int(run)),
             f"<code>taut run {escape(name)}#{run}</code>"] for run in runs[:MOST_FAILED]]  # fmt: skip
    more = f"<p>and {len(runs) - MOST_FAILED} more</p>" if len(runs) > MOST_FAILED else ""
    return table_html(("run", "status", "cause", "where", "to repeat it"), rows) + more


def study_html(dataset: xr.Dataset) -> str:
    """The study's record as text, and the versions used."""
    plain = json.loads(dataset.attrs["study"])["study"]
    versions = ", ".join(f"{key} {value}" for key, value in dict(dataset.attrs.get("versions", {})).items())
    return f"<pre>{escape(json.dumps(plain, indent=2))}</pre><p class=soft>{escape(versions)}</p>"
