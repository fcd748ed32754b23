"""The audit as lines for a terminal."""

from collections.abc import Callable
from typing import Any

MOST_CABLES = 12
MOST_INTERVALS = 6
NOTHING = 1e-9  # a smaller exchange of energy is none, relative to what is stored
MARKS = {"pass": "ok", "warn": "WARN", "fail": "FAIL", "incomplete": "part", "note": ""}


def audit_lines(audit: dict[str, Any]) -> list[str]:
    """Return the audit as text: the verdict, then a line per subject with its mark, its numbers and its limit."""
    if not audit:
        return ["audit: none"]
    lines = [f"audit: {audit['verdict']}"]
    for name, (label, describe) in DESCRIPTIONS.items():
        if name in audit:
            texts = describe(audit[name])
            if not texts:
                continue
            heads = [f"  {MARKS[audit[name]['verdict']]:4}  {label:12}"] + [" " * 20] * (len(texts) - 1)
            lines += [f"{head}{text}" for head, text in zip(heads, texts, strict=True)]
    reasons = [f"  because {reason}" for reason in audit["reasons"]]
    return lines + reasons + [f"  note: {warning}" for warning in audit["warnings"]]


def _run(line: dict[str, Any]) -> list[str]:
    asked = f" of {line['duration']:g} s" if line["duration"] is not None else ""
    method = f", {line['method']}" if line["method"] else ""
    return [f"{line['status']}, {_n(line['end'])} s{asked}{method}"]


def _finite(line: dict[str, Any]) -> list[str]:
    wrong = line["variables"]
    return ["all values are finite" if not wrong else "not finite: " + ", ".join(wrong[:6])]


def _constraint(symbol: str) -> Callable[[dict[str, Any]], list[str]]:
    def describe(line: dict[str, Any]) -> list[str]:
        if line.get("loops") is False:
            return ["no loops"] if symbol == "e1" else []
        where = f" in {line['closure']}" if "closure" in line else ""
        limit = f"limit {_n(line['limit'])} {line['unit']}"
        return [f"{symbol} at most {_n(line['max'])} {line['unit']} (t = {_n(line['time'])} s{where}); {limit}"]

    return describe


def _energy(line: dict[str, Any]) -> list[str]:
    share = f"{_n(line['relative'])} of {_n(line['exchanged'])} J exchanged"
    is_moved = line["relative"] is not None and (line["exchanged"] or 0.0) > NOTHING * abs(line["stored"] or 0.0)
    error = share if is_moved else f"{_n(line['error'])} J, nothing exchanged"
    is_known = line["exchanged"] and line.get("allowed")
    limit = _n(line["allowed"] / line["exchanged"] if is_known else line["limit"])
    if line.get("allowed") and not is_moved:
        limit = f"{_n(line['allowed'])} J"
    impacts = f" ({_n(line['impacts'])} J by impacts)" if line.get("impacts") else ""
    texts = [f"error {error} (t = {_n(line['time'])} s); limit {limit}"]
    if "rise" in line:
        # methods of fixed steps are judged by how far the stored energy rises, not by the size of the error
        texts = [f"error {error} (t = {_n(line['time'])} s)"]
        texts.append(f"stored rises by at most {_n(line['rise'])} J out of nothing; limit {_n(line['allowed_rise'])} J")
        gain, loss = (f"{_n(line[name])} J (limit {_n(line[f'allowed_{name}'])} J)" for name in ("gain", "loss"))
        texts.append(f"balance rises by {gain}, falls by {loss}")
    return [
        *texts,
        f"input {_n(line['input'])} J, dissipated {_n(line['dissipated'])} J{impacts}, stored {_n(line['stored'])} J",
    ]


def _steps(line: dict[str, Any]) -> list[str]:
    accepted = line.get("accepted", 0)
    texts = [f"{accepted} accepted, {line.get('rejected', 0)} rejected"]
    if "size_min" in line:
        texts[0] += f"; size {_n(line['size_min'])} to {_n(line['size_max'])} s, median {_n(line['size_median'])} s"
    if "newton_iterations" in line:
        mean = f" ({line['newton_iterations'] / accepted:.1f} per step)" if accepted else ""
        texts.append(
            f"Newton: {line['newton_iterations']} iterations{mean}, {line.get('newton_failures', 0)} failures, "
            f"{line.get('factorisations', 0)} factorisations"
        )
    if line.get("unbalanced", 0):
        texts.append(f"energy of {line['unbalanced']} steps off by more than their share: shorter ones were no better")
    if "switches" in line:
        texts.append(
            f"one-sided: {line['switches']} times closed or opened, {line['impacts']} impacts, "
            f"{line['complementarity_problems']} problems ({line['second_solver']} by the second solver), "
            f"error {_n(line['complementarity_error'])}"
        )
    if "step_seconds_max" in line:
        longest, mean = line["step_seconds_max"], line["step_seconds_mean"]
        texts.append(f"wall time of a step: at most {_n(1e3 * longest)} ms, mean {_n(1e3 * mean)} ms")
    return texts


def _overlap(line: dict[str, Any]) -> list[str]:
    return [f"at most {_n(line['max'])} m of contacts and taut cables (t = {_n(line['time'])} s)"]


def _tension(line: dict[str, Any]) -> list[str]:
    cables = [cable for cable in line["cables"] if "min" in cable]
    if len(cables) <= MOST_CABLES:
        texts = [f"{cable['cable']}: {_low(cable)} to {_high(cable)}{_ends(cable)}" for cable in cables]
        return texts or ["none"]
    low = min(cables, key=lambda cable: cable["min"])
    high = max(cables, key=lambda cable: cable["max"])
    return [f"{len(cables)} cables: {low['cable']} {_low(low)} to {high['cable']} {_high(high)} along them"]


def _slack(line: dict[str, Any]) -> list[str]:
    # cables that were slack in the same intervals share a line
    groups: dict[tuple, list[str]] = {}
    for entry in line["intervals"]:
        groups.setdefault((*entry["elements"], entry.get("of", 0), entry["from"], entry["to"]), []).append(
            entry["cable"]
        )
    texts = [f"{', '.join(cables)}{_interval(*key)}" for key, cables in groups.items()][:MOST_INTERVALS]
    more = line["count"] - sum(len(cables) for cables in list(groups.values())[:MOST_INTERVALS])
    return texts + [f"and {more} more intervals"] * (more > 0) or ["never"]


def _interval(first: int, last: int, count: int, start: float, end: float) -> str:
    elements = f"element {first}" if first == last else f"elements {first} to {last}"
    span = f"at t = {_n(start)} s" if start == end else f"t = {_n(start)} to {_n(end)} s"
    # a cable that is slack as a whole has no parts to tell; one without mass has no elements at all
    return f": {span}" if first == 1 and last == count else f", {elements}: {span}"


def _ends(cable: dict[str, Any]) -> str:
    """The larger one of the largest tensions at the ends."""
    found = [cable[key] for key in ("exit_max", "anchor_max") if key in cable]
    # a cable of one piece has one tension: the ends are listed only if their tensions differ
    if cable.get("elements") == 1 and found and _n(max(found)) == _n(cable["max"]):
        return ""
    parts = "" if cable.get("elements") == 1 else " along it"
    return parts + (f"; ends up to {_n(max(found))} N" if found else "")


def _low(cable: dict[str, Any]) -> str:
    return f"{_n(cable['min'])} N (t = {_n(cable['min_time'])} s)"


def _high(cable: dict[str, Any]) -> str:
    return f"{_n(cable['max'])} N (t = {_n(cable['max_time'])} s)"


def _n(value: float | None) -> str:
    return "not finite" if value is None else f"{value:.4g}"


def _equations(line: dict[str, Any]) -> list[str]:
    left_out = f"; not judged: {', '.join(line['not_covered'][:4])}" if line["not_covered"] else ""
    if line["max"] is None:
        return [f"not evaluated anew{left_out}"]
    where = f"{line['points']} moments, {line['columns']} of {line['of_columns']} balances"
    return [f"lack at most {_n(line['max'])} of their forces ({where}); limit {_n(line['limit'])}{left_out}"]


def _channels(line: dict[str, Any]) -> list[str]:
    where = f"{line['points']} samples, {line['channels']} channels"
    return [f"differ by at most {_n(line['max'])} from what the states give ({where}); limit {_n(line['limit'])}"]


def _kinematics(line: dict[str, Any]) -> list[str]:
    if "max" not in line:
        return ["samples do not fit together"]
    if line["max"] is None:
        return [
            "not judged, as there are many steps between any two samples: usual with a controller; "
            "a smaller run.save_every lets it be judged"
        ]
    return [f"{line['what']} of {line['body']} off by at most {_n(line['max'])} of what is allowed"]


def _projection(line: dict[str, Any]) -> list[str]:
    limit = f"; limit {_n(line['limit'])} m" if line["verdict"] != "note" else ""
    return [f"loops opened by at most {_n(line['step'])} m in a step, {_n(line['sample'])} m at samples{limit}"]


def _passages(line: dict[str, Any]) -> list[str]:
    if line["limit"] is None:
        return ["errors behind singular positions not measured"]
    past = f", past {line['count']} singular positions or close to them" if line["count"] else ""
    off = f"off by at most {_n(line['error'])} tolerances (t = {_n(line['worst_time'])} s){past}"
    return [f"{off}, by a {line['other']} run; limit {_n(line['limit'])}"]


def _closures(line: dict[str, Any]) -> list[str]:
    where = f"{line['points']} samples, {line['rows']} rows"
    return [f"off by at most {_n(line['max'])} when found anew ({where}); limit {_n(line['limit'])}"]


def _law(line: dict[str, Any]) -> list[str]:
    return [f"cables push by at most {_n(line['push'])} N, are slack and longer by at most {_n(line['longer'])} m"]


def _sides(line: dict[str, Any]) -> list[str]:
    return [f"{len(line['wrong'])} contacts or cables on the wrong side ({line['points']} moments)"]


def _friction(line: dict[str, Any]) -> list[str]:
    return [f"{len(line['wrong'])} of {line['watched']} stick or slip against their law ({line['points']} moments)"]


def _start(line: dict[str, Any]) -> list[str]:
    if line["verdict"] == "note":
        return [f"closed from {_n(line['opened'])} m as given"]
    return [f"off by {_n(line['moved'])} and {_n(line['faster'])} 1/s from what is given; limit {_n(line['limit'])}"]


def _build(line: dict[str, Any]) -> list[str]:
    return [f"{line['compared']} masses, stiffnesses and signals are the scenario's"] * (line["verdict"] == "pass")


def _impacts(line: dict[str, Any]) -> list[str]:
    return [f"{line['count']} rates after impacts, off by at most {_n(line['max'])} from the restitution"]


def _events(line: dict[str, Any]) -> list[str]:
    return [f"{line['missed']} of {line['crossings']} crossings between samples missed"]


def _inputs(line: dict[str, Any]) -> list[str]:
    return [f"steps at most {_n(line['max'])} times as long as the inputs allow; limit {_n(line['limit'])}"]


DESCRIPTIONS: dict[str, tuple[str, Callable[[dict[str, Any]], list[str]]]] = {
    "run": ("run", _run),
    "finite": ("values", _finite),
    "constraint_error": ("constraints", _constraint("e1")),
    "constraint_error_velocity": ("", _constraint("e2")),
    "overlap": ("overlap", _overlap),
    "energy": ("energy", _energy),
    "equations": ("equations", _equations),
    "projection": ("projections", _projection),
    "passages": ("passages", _passages),
    "closures": ("closures", _closures),
    "channels": ("channels", _channels),
    "kinematics": ("kinematics", _kinematics),
    "sides": ("sides", _sides),
    "friction": ("friction", _friction),
    "law": ("cable law", _law),
    "impacts": ("impacts", _impacts),
    "events": ("events", _events),
    "inputs": ("inputs", _inputs),
    "start": ("start", _start),
    "build": ("model", _build),
    "steps": ("steps", _steps),
    "tension": ("tension", _tension),
    "slack": ("slack", _slack),
}
