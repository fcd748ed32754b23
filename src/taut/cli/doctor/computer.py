"""The computer: processor, cores, memory, and a browser for the pages."""

import os
import platform
import shutil
import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path

from .finding import Finding

GIB = 2**30
LITTLE_MEMORY = 2.0  # less memory than this is reported [GiB]; compiling one part of the engine takes up to about 1 GiB
BROWSERS = ("firefox", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")


def look_at_computer() -> Iterator[Finding]:
    """Processor, cores and memory."""
    yield Finding("processor", "ok", processor())
    cores = usable_cores()
    remedy = "" if cores > 1 else "taut compile, batches and studies go one at a time"
    yield Finding("cores", "ok" if cores > 1 else "note", f"{cores} of {os.cpu_count() or cores} may be used", remedy)
    memory = memory_size()
    if memory is not None:
        is_little = memory < LITTLE_MEMORY
        remedy = "taut compile --workers 1 takes the least" if is_little else ""
        yield Finding("memory", "warn" if is_little else "ok", f"{memory:.1f} GiB", remedy)


def processor() -> str:
    """Name of the processor, as far as the system tells."""
    file = Path("/proc/cpuinfo")
    if file.is_file():
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine() or "unknown"


def usable_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory_size() -> float | None:
    """Memory of the computer [GiB]; None where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / GIB
    # os.sysconf does not exist on Windows, and other systems may not know the name
    except (AttributeError, OSError, ValueError):
        return None


def look_at_browser() -> Iterator[Finding]:
    """Look for a browser in which `taut view` can open its page."""
    try:
        name = webbrowser.get().name
    except webbrowser.Error:
        installed = next((name for name in BROWSERS if shutil.which(name)), "")
        remedy = "taut view prints the address of its page; taut report writes one HTML file to take elsewhere"
        yield Finding("browser", "note", why_none(installed), remedy)
    else:
        yield Finding("browser", "ok", Path(name).name if isinstance(name, str) else "the system's own")


def why_none(installed: str) -> str:
    """Why no page can be opened by itself."""
    if installed and not any(os.environ.get(name) for name in SCREENS) and sys.platform.startswith("linux"):
        return f"{installed} is there, but no screen: neither {' nor '.join(SCREENS)} is set"
    return f"{installed} is there, but cannot be opened from Python" if installed else "none found"
