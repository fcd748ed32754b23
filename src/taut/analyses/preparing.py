"""Compiled code made in advance: for every kind of cable and every method, or for one machine.

Code for a machine is compiled when it is first asked for, once for each method and for each kind of cable. Here it is
asked for by short runs in processes of their own, several at a time, so that nobody waits later.
"""

import contextlib
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context, parent_process

import numpy as np

from taut.analyses.modes import modes
from taut.analyses.seldom_called import are_compiled, call_seldom_called
from taut.analyses.statics import statics
from taut.build import build
from taut.control.drum_servo import DrumServo
from taut.control.feedforward import Feedforward
from taut.control.kinds import make_controllers
from taut.control.law import Law, LawData
from taut.control.lqr import Lqr
from taut.control.pid import Pid
from taut.dynamics.statics import rest_step
from taut.integrate.run.compiled import is_engine_compiled
from taut.integrate.settings import ALL_INTEGRATORS
from taut.integrate.simulate import simulate
from taut.kernels.cache import is_compiled
from taut.library import load
from taut.model import Model
from taut.results.errors import ResultError
from taut.scenario.errors import ScenarioError

# a small machine for each kind of cable for which separate code is compiled
KINDS = {
    "no cables, or cables with mass": "double-pendulum",
    "cables without mass": "bounce",
    "cables without mass over sheaves": "elevator",
    "cables without mass with friction at guides": "tackle",
    "cables with mass on drums, over pulleys or guides": "winch-brake-loss",
    "cables of assumed modes": "wang-suspension",
}
# a machine for each kind of controller with code of its own; those of the first need no more than its numbers
CONTROLLED = {
    "pid, drum, lqr and feedforward": "crane-2d",
    "computed-torque": "crane-hoisting",
    "quadcopter": "mamidi-quadcopter-failure",
    "cable-length": "winch-robot-circle",
}
ANALYSES = "statics and modes"
EVENTS = "events and measurements"
CONTROLLERS = "controllers"
SHORT = 1e-4  # duration of the runs that only compile code [s]


@dataclass(frozen=True)
class Job:
    """One unit of work for a process that compiles."""

    machine: str  # name of a library scenario, or of a file
    task: str  # name of an integrator, ANALYSES, EVENTS or CONTROLLERS
    kind: str  # kind of cables or controllers, in words

    def __str__(self) -> str:
        """The job in words."""
        return f"{self.task} for {self.kind}"


def all_jobs() -> list[Job]:
    """Every method, the analyses and what runs call now and then, for every kind of cable; every controller."""
    tasks = [*ALL_INTEGRATORS, ANALYSES, EVENTS]
    jobs = [Job(machine, task, kind) for kind, machine in KINDS.items() for task in tasks]
    return jobs + [Job(machine, CONTROLLERS, f"the kind {kind}") for kind, machine in CONTROLLED.items()]


def is_prepared(model: Model, task: str) -> bool:
    """Whether the code for such machines lies on the disk."""
    if task == EVENTS:
        return are_compiled(model)
    if task == CONTROLLERS:
        laws = [law for law in make_controllers(model, {}).values() if isinstance(law, Law)]
        return all(is_compiled(type(law).entry, law.bundle) for law in laws)
    return is_compiled(rest_step, model.tables) if task == ANALYSES else is_engine_compiled(model, task)


def prepare(job: Job) -> bool:
    """Compile what a job needs; returns whether anything was not compiled before."""
    model = build(load(job.machine))
    if is_prepared(model, job.task):
        return False
    # errors do not matter here: the short run is made only so that its code is compiled
    with contextlib.suppress(ResultError, ScenarioError):
        if job.task == ANALYSES:
            statics(model)
            modes(model)
        elif job.task == EVENTS:
            call_seldom_called(model)
        elif job.task == CONTROLLERS:
            call_controllers(model)
        else:
            simulate(model, duration=SHORT, save_every=SHORT, integrator=job.task)
    return True


def call_controllers(model: Model) -> None:
    """Compile what acts at a controller's instants, by a run over a few, and controllers of plain numbers."""
    numbers, whole = np.zeros(0), np.zeros(1, np.int64)
    plain = LawData(time=np.zeros(1), slot=whole, told=numbers, wanted=np.zeros((1, 0, 3)), numbers=numbers,
                    memory=numbers, out=numbers)  # fmt: skip
    for kind in (Pid, DrumServo, Lqr, Feedforward):
        kind.entry.compile((plain._numba_type_,))
    period = max(spec.period for spec in model.plan.controllers.values())
    simulate(model, duration=2.5 * period, save_every=period, integrator="radau")


def prepare_all(jobs: list[Job], workers: int) -> Iterator[tuple[Job, bool]]:
    """Do the jobs in processes of their own; each as it is done, and whether anything was compiled."""
    with make_pool(min(workers, len(jobs))) as pool:
        waiting = {pool.submit(prepare, job): job for job in jobs}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def make_pool(workers: int) -> ProcessPoolExecutor:
    """Processes that compile, each its own job, and end when this process does, however it ends."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=begin_worker)


def begin_worker() -> None:
    """Prepare a new process of the pool."""
    # one compiler in each process of the pool, because the pool already has a process on every core
    os.environ["TAUT_COMPILERS"] = "1"
    # end with the parent: a process of a pool whose owner was killed would wait for jobs for ever
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """Wait for the end of the process that started this one, and end too."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
