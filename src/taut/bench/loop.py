"""What a program pays that steps a machine itself: a control loop at 1 kHz, resets, and many machines at once.

The robot is the 4-4 of Mamidi and Bandyopadhyay with its exits led by three commands, at a fixed step of 1 ms, for a
minute of the clock: each period begins by sleeping, then spinning until its instant. Garbage collection is off
meanwhile, so that whatever a step leaves behind would add up: objects and memory are counted before and after. Many
machines at once are planar cranes, each commanded every 50 ms. Beside the time of the clock, that of the processor is
given, which other programs do not lengthen: it tells on a busy computer whether threads hinder each other. MuJoCo,
where it is installed, runs the same robot by its ``rollout``, exits moving as published: one native call without
commands from outside.
"""

import gc
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import psutil

from taut import library
from taut.bench.timing import one_core, time_inside
from taut.build import build
from taut.kernels.threads import core_count
from taut.loop.plant import Plant

ROBOT, CRANE = "mamidi-pick-and-place", "crane-2d"
STEP, COUNT = 1e-3, 60_000  # step of the control loop [s], and number of steps
# time before an instant from which the loop waits by spinning [s]; steps of rehearsal before the clock starts
SPIN, REHEARSED = 2e-4, 50
WARM, ALL = 5, 1024  # periods before a fleet is measured; size of the fleet that is measured on all cores
RESETS, FLEETS = 2000, (1, 4, 16, 64, 256, 1024, 4096)
FLEET_SECONDS = 2.0  # approximate time for which a fleet is measured [s]
FIXED = {"integrator": "generalized-alpha", "step": STEP, "tolerance": 1e-4}


def robot_plant() -> Plant:
    """The 4-4 robot with commanded exits."""
    from taut.loop.gym.examples import EXITS

    scenario = library.load(ROBOT, EXITS)
    return Plant(scenario, period=STEP, observations=["platform.position", "platform.velocity"], **FIXED)


def run(report: Callable[[str], None] = print) -> dict[str, Any]:
    """Measure; ``report`` is called with messages about the progress."""
    with one_core():
        report(f"a control loop of {COUNT} steps of {1e3 * STEP:g} ms by the clock")
        figures = {"step": STEP, "steps": COUNT, "loop": control_loop(robot_plant())}
        report("resets")
        figures["resets_per_second"] = {name: resets(plant) for name, plant in
                                        (("robot", robot_plant()), ("crane", crane_plant()))}  # fmt: skip
        figures["fleet"] = []
        for count in FLEETS:
            report(f"{count} cranes at once")
            figures["fleet"].append(fleet(count))
        report("MuJoCo")
        figures["mujoco"] = mujoco()
    report(f"{ALL} cranes on all cores")
    one, all_ = fleet(ALL), fleet(ALL, threads=core_count())
    figures["cores"] = {"cores": core_count(), "machines": ALL, "one": one["steps_per_second"],
                        "all": all_["steps_per_second"], "processor_one": one["processor_seconds"],
                        "processor_all": all_["processor_seconds"], "python_all": all_["python_seconds"],
                        "attainable": attainable(one, all_, core_count())}  # fmt: skip
    return figures


def attainable(one: dict[str, float], all_: dict[str, float], cores: int) -> float:
    """How much faster cores that are free could be than one by processor times of a step."""
    shared = all_["processor_seconds"] - all_["python_seconds"]
    return one["processor_seconds"] / (all_["python_seconds"] + shared / cores)


def control_loop(plant: Plant) -> dict[str, float]:
    """Seconds of command, step and observation: the whole, the compiled method inside, and what Python adds."""
    spent, command = time_inside(plant.stepper._moving.method), np.zeros(3)
    # ones, not zeros: their memory is there from the beginning
    calls, inside, late, worked = np.ones((4, COUNT))
    # rehearse the first moves, the lift-off from the ground included, so that their code is loaded before the clock
    # starts
    for k in range(REHEARSED):
        command[2] = 0.3 * np.sin(2e-3 * k)
        plant.step(command)
    plant.reset()
    gc.collect()
    gc.disable()
    objects, size = sys.getallocatedblocks(), psutil.Process().memory_info().rss
    first = time.perf_counter() + STEP
    for k in range(COUNT):
        command[2] = 0.3 * np.sin(2e-3 * k)
        late[k] = wait_until(first + k * STEP)
        spent[0], working, start = 0.0, time.thread_time(), time.perf_counter()
        plant.step(command)
        calls[k], inside[k], worked[k] = time.perf_counter() - start, spent[0], time.thread_time() - working
    objects, size = sys.getallocatedblocks() - objects, psutil.Process().memory_info().rss - size
    gc.enable()
    median = float(np.median(calls))
    return {
        "seconds": median,
        "seconds_inside": float(np.median(inside)),
        "seconds_of_python": float(np.median(calls - inside)),
        "seconds_999": float(np.quantile(calls, 0.999)),
        "worst": float(calls.max()),
        "worst_of_processor": float(worked.max()),
        "margin": STEP / median,
        "longer": float((calls > STEP).mean()),
        "late": float(np.median(late)),
        "late_999": float(np.quantile(late, 0.999)),
        "late_worst": float(late.max()),
        "missed": float((late + calls > STEP).mean()),
        "objects_left": objects,
        "bytes_added": size,
    }


def wait_until(instant: float) -> float:
    """Sleep, then spin until an instant; how late it was reached [s]."""
    left = instant - time.perf_counter()
    if left > SPIN:
        time.sleep(left - SPIN)
    while time.perf_counter() < instant:
        pass
    return time.perf_counter() - instant


def resets(plant: Plant) -> float:
    """Resets per second."""
    plant.step(np.zeros(len(plant.commands)))
    start = time.perf_counter()
    for _ in range(RESETS):
        plant.reset()
    return RESETS / (time.perf_counter() - start)


def crane_plant() -> Plant:
    """The planar crane, as in the environment in which controllers are learned."""
    return Plant(CRANE, period=0.05, observations=["x", "v", "load.position.x", "load.velocity.x"], tolerance=1e-3)


def fleet(count: int, *, threads: int = 1) -> dict[str, float]:
    """Steps per second of many cranes, processor time of a step, and the share that compiled code took alone."""
    from taut.loop.fleet import Fleet
    from taut.loop.fleet import fleet as module

    inside: list[float] = []  # seconds of each call of compiled code, of all threads
    made, original = Fleet(crane_plant(), count, threads=threads), module.step_many
    commands, seen, which = np.full((count, 1), 50.0), np.zeros((count, 4)), np.ones(count, bool)
    # the first periods of an episode run in Python, because of the start and of friction that lets go: leave them out
    for _ in range(WARM):
        made.advance(commands, seen, which)
    made.taken, steps, start, working = 0, 0, time.perf_counter(), time.process_time()

    def timed(*args: Any) -> None:
        begin = time.thread_time()
        original(*args)
        inside.append(time.thread_time() - begin)

    module.step_many = timed
    try:
        while time.perf_counter() - start < FLEET_SECONDS:
            made.advance(commands, seen, which)
            steps += count
    finally:
        module.step_many = original
        made.close()
    rate, working = steps / (time.perf_counter() - start), (time.process_time() - working) / steps
    return {"machines": count, "steps_per_second": rate, "processor_seconds": working,
            "python_seconds": working - sum(inside) / steps, "compiled": made.taken / steps}  # fmt: skip


def mujoco() -> dict[str, float] | None:
    """MuJoCo's rollout of the 4-4 robot at the loop's step; None where MuJoCo is not installed."""
    try:
        from taut.bench.mujoco_robot import simulate
    except ImportError:
        return None
    model = build(library.load(ROBOT))
    times, _, seconds = simulate(model, STEP)
    steps = round(model.plan.run.duration / STEP)
    return {"seconds": seconds / steps, "steps": steps, "samples": len(times)}


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as lines of text."""
    loop = figures["loop"]
    micro = {key: 1e6 * value for key, value in loop.items() if key.startswith(("seconds", "worst", "late"))}
    cores = figures["cores"]
    found = [
        f"4-4 robot, commanded and observed every {1e3 * figures['step']:g} ms by the clock, {figures['steps']} times",
        f"  command, step, observe {micro['seconds']:8.1f} us in the median",
        f"  99.9 % of them within  {micro['seconds_999']:8.1f} us, worst {micro['worst']:.0f} us "
        f"({micro['worst_of_processor']:.0f} us of the processor)",
        f"  the method in it       {micro['seconds_inside']:8.1f} us",
        f"  Python around it       {micro['seconds_of_python']:8.1f} us",
        f"  a period is {loop['margin']:.1f} medians; {100 * loop['longer']:.3f} % take longer than one",
        f"  begun late by          {micro['late']:8.1f} us, 99.9 % within {micro['late_999']:.1f} us, "
        f"worst {micro['late_worst']:.0f} us; not done by its end: {100 * loop['missed']:.3f} %",
        f"  after all of them, without garbage collection: {loop['objects_left']} objects more, "
        f"{loop['bytes_added'] / 1e3:.0f} kB",
        *(f"  resets per second, {name:6s} {value:8.0f}" for name, value in figures["resets_per_second"].items()),
        *(f"  {row['machines']:5d} cranes {row['steps_per_second']:10.0f} steps per second on one core, "
          f"{100 * row['compiled']:.0f} % of them without Python for a machine, "
          f"{1e6 * row['processor_seconds']:.1f} us each, {1e6 * row['python_seconds']:.1f} us of them Python for all"
          for row in figures["fleet"]),
        f"  {cores['machines']:5d} cranes {cores['all']:10.0f} steps per second on {cores['cores']} cores, "
        f"{cores['one']:.0f} by one thread; of the processors {1e6 * cores['processor_all']:.1f} us a step, "
        f"{1e6 * cores['processor_one']:.1f} us by one thread",
        f"  of these {1e6 * cores['python_all']:.2f} us are Python, which threads do not share: free cores are at most "
        f"{cores['attainable']:.2f} times one",
    ]  # fmt: skip
    if figures["mujoco"] is not None:
        found.append(f"  MuJoCo's rollout of the robot {1e6 * figures['mujoco']['seconds']:8.1f} us per step")
    return found
