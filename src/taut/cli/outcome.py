"""The end of a run as text and as plain data."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any


def is_good(result: Any) -> bool:
    """Whether the run came to its end and its audit passed."""
    return result.audit.get("verdict") == "pass"


def outcome(result: Any, output: Path, seconds: float, *, is_resumed: bool = False) -> dict[str, Any]:
    """Plain data for `--json`; seconds of wall time, from the start state to the file."""
    end = float(result.time[-1])
    return {
        "ok": is_good(result),
        "name": result.title,
        "status": result.status,
        "status_text": result.status_text,
        "output": str(output),
        "end": end,
        "samples": len(result.time),
        "seconds": seconds,
        "resumed": is_resumed,
        "audit": result.audit,
    }


def outcome_lines(result: Any, answer: dict[str, Any]) -> Iterator[str]:
    """Yield the summary and the audit."""
    from taut.results import audit_lines

    end, seconds = answer["end"], answer["seconds"]
    yield f"{answer['name']}: {answer['status']}"
    # of a run that was resumed only the rest was timed
    took = "" if answer["resumed"] else f" in {seconds:.3g} s, {end / max(seconds, 1e-9):.3g} x real time"
    yield f"  {end:g} s simulated{took}; {answer['samples']} samples"
    if answer["status_text"]:
        yield f"  {answer['status_text']}"
    yield from audit_lines(answer["audit"])
    yield f"wrote {answer['output']}"
    if answer["status"] == "interrupted":
        yield f"  to carry on: taut run {answer['output']} --resume"
    else:
        yield f"  to see it: taut view {answer['output']}, or taut report {answer['output']}"
