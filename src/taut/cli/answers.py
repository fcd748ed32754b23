"""Answers of commands as text and as plain data: the end of a run, what a machine is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

MOST_EVENTS = 8  # most events that are listed by name


def is_good(result: Any) -> bool:
    """Whether the run came to its end and its audit passed."""
    return result.audit.get("verdict") == "pass"


def outcome(
    result: Any, output: Path, seconds: float, *, resumed_at: float | None = None, is_written: bool = True
) -> dict[str, Any]:
    """Plain data for `--json`; seconds of wall time, from the start state to the file."""
    end = float(result.time[-1])
    return {
        "ok": is_good(result),
        "name": result.title,
        "status": result.status,
        "status_text": result.status_text,
        "output": str(output),
        "written": is_written,
        "end": end,
        "samples": len(result.time),
        "seconds": seconds,
        "resumed": resumed_at is not None,
        "resumed_at": resumed_at,
        "events": event_counts(result.events),
        "audit": result.audit,
    }


def event_counts(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """How often each event came, what it was, and when first, in the order of their first times."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for event in events:
        what = event.get("what", "")
        start = {"name": event["name"], "what": what, "count": 0, "first": event["time"]}
        entry = found.setdefault((event["name"], what), start)
        entry["count"] += 1
    return list(found.values())


def outcome_lines(result: Any, answer: dict[str, Any]) -> Iterator[str]:
    """Yield the summary and the audit."""
    from taut.results.audit_text import audit_lines

    yield f"{answer['name']}: {answer['status']}"
    yield f"  {answer['end']:g} s simulated{took(answer)}; {answer['samples']} samples"
    if answer["status_text"]:
        yield f"  {answer['status_text']}"
    yield from event_lines(answer["events"])
    for command in answer.get("saturated", []):
        yield (f"  command {command['command']}: at its limit for {command['seconds']:.3g} s, "
               f"first at t = {command['first']:.4g} s")  # fmt: skip
    yield from audit_lines(answer["audit"])
    if answer["written"]:
        yield f"wrote {answer['output']}"
    if answer["status"] == "interrupted":
        yield f"  to carry on: taut run {answer['output']} --resume"
    elif answer["samples"] > 1:
        yield f"  to see it: taut view {answer['output']}, or taut report {answer['output']}"


def took(answer: dict[str, Any]) -> str:
    """Duration of a run in words; of one that was resumed, only the part after that was timed."""
    if answer["resumed"]:
        return f", resumed at t = {answer['resumed_at']:.4g} s"
    seconds = answer["seconds"]
    if not answer["written"]:
        return ""
    return f" in {seconds:.3g} s, {answer['end'] / max(seconds, 1e-9):.3g} x real time"


def event_lines(counts: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a line per event that came."""
    for event in counts[:MOST_EVENTS]:
        often = "once, at" if event["count"] == 1 else f"{event['count']} times, first at"
        # a rope that breaks is an event of that name, which says it all
        what = f" ({event['what']})" if event["what"] not in ("", event["name"]) else ""
        yield f"  event {event['name']}{what}: {often} t = {event['first']:.6g} s"
    if len(counts) > MOST_EVENTS:
        yield f"  and {len(counts) - MOST_EVENTS} more events, see result.events"


def summary_lines(summary: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that describe a machine."""
    yield f"{summary['name']}: ok"
    yield from _listed("bodies", [f"{body['name']} ({body['mass']:g} kg)" for body in summary["bodies"]])
    yield from _listed("cables", [f"{cable['name']} ({_made_of(cable)})" for cable in summary["cables"]])
    yield from _listed("sub-systems", [f"{part['name']} ({part['coordinates']})" for part in summary["subsystems"]])
    yield f"  coordinates: {summary['coordinates']}"
    yield f"  constraints: {summary['constraints']}, {summary['independent_constraints']} independent"
    contacts = summary.get("contacts", 0)
    fewer = f" (fewer while some of its {contacts} contacts touch the ground)" if contacts else ""
    yield f"  degrees of freedom: {summary['degrees_of_freedom']}{fewer}"
    found, given = summary["closure_error"], summary["closure_error_given"]
    yield f"  largest loop error at the start: {found:.1e} (as given {given:.1e})"
    yield from _listed(
        "signals, their rates or accelerations jump at [s]", [f"{time:g}" for time in summary["breakpoints"]]
    )
    for warning in summary["warnings"]:
        yield f"  warning: {warning}"


def _made_of(cable: dict[str, Any]) -> str:
    if "modes" in cable:
        return f"{cable['modes']} modes, {cable['lateral_modes']} lateral"
    return f"{cable['elements']} elements" if cable["elements"] else "without mass"


def _listed(what: str, entries: list[str]) -> Iterator[str]:
    if entries:
        more = f", ... {len(entries)} in all" if len(entries) > 12 else ""
        yield f"  {what}: {', '.join(entries[:12])}{more}"
