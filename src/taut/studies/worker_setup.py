"""Loaded by every worker of a local cluster: Ctrl-C is for the client, which ends the workers itself."""

import signal
import threading
from typing import Any


def dask_setup(worker: Any) -> None:
    """Ignore Ctrl-C; called by Dask in the worker's process."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
