"""The table of planted faults: what the audit finds of them, and that it raises no alarm without one.

    python tests/faults/table.py [--machine NAME ...] [--json FILE] [--markdown] [--only WORD]

Faults of algorithms run in a process of their own with the JIT off.
"""

import argparse
import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from faults.kinds import FAULTS, KERNELS, Fault
from faults.plant import Outcome, outcome

JIT_OFF = "NUMBA_DISABLE_JIT"


def main() -> int:
    """Plant the faults asked for, and print what the audit finds of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machine", nargs="*", default=None)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", default=None)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--kernels", action="store_true", help="only those of algorithms, in this process")
    asked = parser.parse_args()
    faults = [fault for fault in FAULTS if asked.only in fault.name]
    faults = [fault for fault in faults if asked.machine is None or fault.machine in asked.machine]
    found = of_kernels(faults) if asked.kernels else all_outcomes(faults)
    if asked.json:
        Path(asked.json).write_text(json.dumps([plain(entry) for entry in found], indent=1))
    return report(found, is_markdown=asked.markdown)


def plain(entry: Outcome) -> dict[str, object]:
    """An outcome for JSON."""
    fault = entry.fault
    about = {"fault": fault.name, "way": fault.way, "unfindable": fault.unfindable} if fault else {"fault": None}
    return about | {name: value for name, value in asdict(entry).items() if name != "fault"}


def all_outcomes(faults: list[Fault]) -> list[Outcome]:
    """Unfaulted runs of all machines, then every fault."""
    machines = dict.fromkeys(fault.machine for fault in faults)
    found = [said(outcome(None, machine)) for machine in machines]
    found += [said(outcome(fault, fault.machine)) for fault in faults if fault.way != KERNELS]
    if any(fault.way == KERNELS for fault in faults):
        found += in_python(faults)
    return found


def of_kernels(faults: list[Fault]) -> list[Outcome]:
    """Faults of algorithms."""
    return [said(outcome(fault, fault.machine)) for fault in faults if fault.way == KERNELS]


def in_python(faults: list[Fault]) -> list[Outcome]:
    """Faults of algorithms, in a process with the JIT off."""
    names = {fault.name: fault for fault in faults if fault.way == KERNELS}
    target = Path(f"/tmp/taut-faults-{os.getpid()}.json")
    command = [sys.executable, __file__, "--kernels", "--json", str(target), "--machine",
               *dict.fromkeys(fault.machine for fault in names.values())]  # fmt: skip
    subprocess.run(command, env={**os.environ, JIT_OFF: "1"}, check=False, stdout=subprocess.DEVNULL)
    entries = json.loads(target.read_text())
    target.unlink()
    return [
        said(Outcome(names[entry["fault"]], entry["machine"], entry["verdict"], tuple(entry["lines"]), entry["reason"]))
        for entry in entries
        if entry["fault"] in names
    ]


def said(entry: Outcome) -> Outcome:
    """Print an outcome as soon as it is known, and return it."""
    name = entry.fault.name if entry.fault else "(no fault)"
    print(f"{entry.verdict:10} {entry.machine:26} {name:50} {','.join(entry.lines)} {entry.reason[:90]}",
          file=sys.stderr, flush=True)  # fmt: skip
    return entry


def report(found: list[Outcome], *, is_markdown: bool) -> int:
    """Counts, and the table if asked for."""
    planted = [entry for entry in found if entry.fault is not None]
    findable = [entry for entry in planted if not entry.fault.unfindable]
    hits = [entry for entry in findable if entry.is_found]
    alarms = [entry for entry in found if entry.fault is None and entry.is_found]
    if is_markdown:
        print("| machine | fault | found by |\n|---|---|---|")
        for entry in findable:
            by = ", ".join(entry.lines) or entry.verdict if entry.is_found else "**not found**"
            print(f"| {entry.machine} | {entry.fault.name} | {by} |")
    share = len(hits) / max(len(findable), 1)
    print(f"found {len(hits)} of {len(findable)} ({share:.1%}); false alarms: {len(alarms)}")
    for entry in findable:
        if not entry.is_found:
            print(f"not found: {entry.machine}, {entry.fault.name}")
    return 0 if share >= 0.85 and not alarms else 1


if __name__ == "__main__":
    sys.exit(main())
