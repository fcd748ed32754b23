"""The same commands at the same marks give the same motion, bit by bit, through every door; linear models hold.

A plant of the library is commanded by a wave; `simulate` has a controller of the user's that sets the same wave. Then a
Gymnasium environment, a server in lock-step and an FMU in FMPy are led through the same marks.
"""

import asyncio
import gc
import json
import mmap
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from taut import library
from taut.build import build
from taut.integrate.settings import run_settings
from taut.integrate.simulate import Run
from taut.loop.linear.checks import against_differences, against_modes
from taut.loop.plant import Plant
from taut.loop.serve.server import Server
from taut.loop.serve.session import Session
from taut.scenario.control.controllers import ControllerPython
from taut.verify.quantity import Quantity, at_most

SOURCE = "the same commands on the same marks"
# period of the commands [s], number of periods, and the period at which a snapshot is taken
PERIOD, STEPS, MARK = 0.01, 30, 13
MACHINES = ("crane-2d", "crane-hoisting", "winch-robot-circle")
LINEAR = ("crane-2d", "crane-hoisting", "pendulum-crane", "crane-3d", "crane-double-pendulum", "double-pendulum",
          "four-bar", "stewart-actuated", "cogiro", "gantry-crane", "winch-robot-circle")  # fmt: skip
FMI = ("2.0", "3.0")
TIMES = 10_000  # number of resets and of steps that must leave nothing behind
STATM = Path("/proc/self/statm")


def quantities() -> Iterator[Quantity]:
    """Every door, resets, and linear models."""
    for name in MACHINES:
        expected, end = by_plant(name)
        yield at_most(f"{name}: plant and simulate", by_simulate(name, end), 0.0, SOURCE)
        yield at_most(f"{name}: save and restore", apart(by_restored(name), expected), 0.0, SOURCE)
        yield at_most(f"{name}: environment", apart(by_environment(name), expected), 0.0, SOURCE)
        yield at_most(f"{name}: many at once", apart(by_fleet(name), expected), 0.0, SOURCE)
        yield at_most(f"{name}: server in lock-step", apart(asyncio.run(by_server(name)), expected), 0.0, SOURCE)
        for fmi in FMI:
            yield at_most(f"{name}: FMU {fmi} in FMPy", apart(by_fmu(name, fmi), expected), 0.0, SOURCE)
    plant = plant_of("crane-2d")
    for what, go in (("resets", plant.reset), ("steps", lambda: plant.step([1.0]))):
        objects, size = left_by(go)
        yield at_most(f"objects left by {TIMES} {what}", float(objects), 0.2 * TIMES, "less than one each")
        if STATM.exists():
            yield at_most(f"memory added by {TIMES} {what}", size, 100.0 * TIMES, "less than 100 B each", unit="B")
    for name in LINEAR:
        errors = against_differences(library.load(name))
        yield at_most(f"{name}: A, B, C, D", max(errors.values()), 1e-6, "differences of the full machine")
        yield at_most(f"{name}: eigenvalues", against_modes(library.load(name)), 1e-8, "taut modes")


def wave(k: int, count: int) -> list[float]:
    """Commands at a period, each a shifted sine."""
    return [0.3 * float(np.sin(0.7 * k + j)) + 0.1 for j in range(count)]


def plant_of(name: str) -> Plant:
    """The plant, and what is observed of it."""
    bodies = list(library.load(name).all_bodies())[:2]
    seen = [f"{body}.{what}" for body in bodies for what in ("position", "velocity")]
    return Plant(name, period=PERIOD, observations=seen)


def apart(found: np.ndarray, expected: np.ndarray) -> float:
    """Largest difference of two runs."""
    return float(np.abs(np.asarray(found) - expected).max()) if np.shape(found) == expected.shape else np.inf


def by_plant(name: str) -> tuple[np.ndarray, Any]:
    """Observations at all marks, and the last state."""
    plant = plant_of(name)
    seen = [plant.step(wave(k, len(plant.commands))) for k in range(STEPS)]
    return np.array(seen), plant.stepper.state


def by_simulate(name: str, end: Any) -> float:
    """Difference of the last state of a run with a controller that sets the wave."""
    scenario = library.load(name)
    user = ControllerPython(kind="python", period=PERIOD)
    model = build(scenario.model_copy(update={"controllers": {"user": user}}))
    commands = list(scenario.commands())
    answers = {"user": lambda t, _: dict(zip(commands, wave(round(t / PERIOD), len(commands)), strict=True))}
    run = Run(model, run_settings(model, {"duration": STEPS * PERIOD}), None, answers, audit=False)
    run.begin(resume=False)
    run.go(lambda time, end: None)
    state = run.method.state()
    return max(apart(state.q, end.q), apart(state.v, end.v))


def by_restored(name: str) -> np.ndarray:
    """Observations of a plant that is led elsewhere in the middle, is restored, and goes on as another plant."""
    plant, other, seen = plant_of(name), plant_of(name), []
    for k in range(STEPS):
        if k == MARK:
            kept = plant.snapshot()
            plant.step(wave(99, len(plant.commands)))
            other.restore(kept)
            plant = other
        seen.append(plant.step(wave(k, len(plant.commands))))
    return np.array(seen)


def by_environment(name: str) -> np.ndarray:
    """A Gymnasium environment."""
    from taut.loop.gym.env import Env, Task

    limits = {spec.name: (-1e3, 1e3) for spec in plant_of(name).command_specs}
    env = Env(plant_of(name), Task(lambda *_: 0.0, STEPS * PERIOD), limits=limits)
    env.reset(seed=0)
    return np.array([env.step(np.array(wave(k, len(limits))))[0] for k in range(STEPS)])


def by_fleet(name: str) -> np.ndarray:
    """Observations of the last of ten machines in a fleet; the others get other commands."""
    from taut.loop.fleet import Fleet

    plant, seen = plant_of(name), []
    fleet, found = Fleet(plant, 10, threads=2), np.zeros((10, len(plant.observation_specs)))
    for k in range(STEPS):
        fleet.advance(np.array([wave(k + 9 - j, len(plant.commands)) for j in range(10)]), found, np.ones(10, bool))
        seen.append(found[9].copy())
    fleet.close()
    return np.array(seen)


async def by_server(name: str) -> np.ndarray:
    """A server in lock-step, over a socket."""
    plant, seen = plant_of(name), []
    server = Server(Session(plant, lock_step=True), port=0)
    running = asyncio.ensure_future(server.run())
    await server.is_ready.wait()
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    await reader.readline()
    for k in range(STEPS):
        writer.write(json.dumps({"command": wave(k, len(plant.commands)), "step": 1}).encode() + b"\n")
        seen.append(json.loads(await reader.readline()).get("observations"))
    writer.close()
    server.stop()
    await running
    return np.array(seen)


def by_fmu(name: str, fmi: str) -> np.ndarray:
    """Observations of an FMU, stepped by FMPy; in the middle it is led elsewhere and its state is restored."""
    from taut.loop.fmu import export_fmu

    fmpy, plant, seen = import_module("fmpy"), plant_of(name), []
    with tempfile.TemporaryDirectory() as folder:
        path = export_fmu(name, Path(folder) / "m.fmu", fmi=fmi, period=PERIOD, observations=list(plant.observations))
        told: Any = fmpy.read_model_description(str(path))
        numbers = {variable.name: variable.valueReference for variable in told.modelVariables}
        made = begun_2(told, fmpy.extract(str(path), folder)) if fmi == "2.0" else begun_3(
            told, fmpy.extract(str(path), folder))  # fmt: skip
        put, get, keep, restore = (
            (made.setReal, made.getReal, made.getFMUstate, made.setFMUstate)
            if fmi == "2.0"
            else (made.setFloat64, made.getFloat64, made.getFMUState, made.setFMUState)
        )
        commands = [numbers[command] for command in plant.commands]
        for k in range(STEPS):
            if k == MARK:
                kept = keep()
                put(commands, wave(99, len(commands)))
                made.doStep(k * PERIOD, PERIOD)
                restore(kept)
            put(commands, wave(k, len(commands)))
            made.doStep(k * PERIOD, PERIOD)
            seen.append(get([numbers[spec.name] for spec in plant.observation_specs]))
        made.terminate()
        made.freeInstance()
    return np.array(seen)


def begun_2(told: Any, folder: str) -> Any:
    """An FMU of FMI 2.0 after its initialisation."""
    made = import_module("fmpy.fmi2").FMU2Slave(guid=told.guid, unzipDirectory=folder, instanceName="one",
                                                modelIdentifier=told.coSimulation.modelIdentifier)  # fmt: skip
    made.instantiate()
    made.setupExperiment(startTime=0.0)
    made.enterInitializationMode()
    made.exitInitializationMode()
    return made


def begun_3(told: Any, folder: str) -> Any:
    """An FMU of FMI 3.0 after its initialisation."""
    made = import_module("fmpy.fmi3").FMU3Slave(guid=told.instantiationToken, unzipDirectory=folder, instanceName="one",
                                                modelIdentifier=told.coSimulation.modelIdentifier)  # fmt: skip
    made.instantiate()
    made.enterInitializationMode(startTime=0.0)
    made.exitInitializationMode()
    return made


def left_by(go: Callable[[], Any]) -> tuple[int, float]:
    """Objects, and resident memory [B], that ten thousand calls leave behind."""
    objects, size = 0, 0.0
    for k in range(TIMES + 100):
        if k == 100:
            gc.collect()
            objects, size = sys.getallocatedblocks(), resident()
        go()
    gc.collect()
    return max(sys.getallocatedblocks() - objects, 0), max(resident() - size, 0.0)


def resident() -> float:
    """Memory of this process [B]; 0 where the system does not tell."""
    return float(STATM.read_text().split()[1]) * mmap.PAGESIZE if STATM.exists() else 0.0
