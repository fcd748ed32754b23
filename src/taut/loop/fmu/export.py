"""From a scenario to a file .fmu, by PythonFMU (FMI 2.0) or PythonFMU3 (FMI 3.0)."""

import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from taut.loop.plant import Plant, scenario_of
from taut.loop.specs import refuse
from taut.results.store import check_target, write_whole
from taut.scenario.errors import Problem, ScenarioError, suggest
from taut.scenario.io.writing import dumps

PACKERS = {"2.0": ("pythonfmu", "script2.py.txt", "canGetAndSetFMUstate"),
           "3.0": ("pythonfmu3", "script3.py.txt", "canGetAndSetFMUState")}  # fmt: skip


def export_fmu(  # noqa: PLR0913 (keywords)
    source: Any,
    path: str | Path,
    *,
    fmi: str = "2.0",
    period: float = 0.01,
    observations: Sequence[str] | None = None,
    commands: Sequence[str] | None = None,
    parameters: Sequence[str] = (),
    noise: bool = False,
    **settings: Any,
) -> Path:
    """Write a machine as an FMU for co-simulation, with save and restore of its state.

    Args:
        source: a scenario, a file, the name of a library scenario, or a model.
        path: the file, ending in .fmu.
        fmi: version of FMI, 2.0 or 3.0.
        period: communication step that it is made for [s]; others are possible.
        observations: outputs, see ``taut.loop.specs``; None for the measurements of the scenario.
        commands: inputs; None for all commands.
        parameters: keys of the scenario that can be changed before a run, such as ``crane.trolley.mass``.
        noise: whether outputs have the faults of their sensors.
        settings: those of a run, such as ``integrator`` and ``step``.
    """
    if Path(path).suffix != ".fmu":
        raise ScenarioError([Problem("must end in .fmu", "output", value=str(path))])
    check_target(Path(path))
    scenario = scenario_of(source)
    packer = find_packer(fmi)
    plant = Plant(scenario, period=period, observations=observations, commands=commands, **settings)
    text = dumps(plant.scenario)
    numbers = {key: number_at(text, key) for key in parameters}
    told = {"period": plant.period, "noise": noise, "run": settings, "commands": list(plant.commands),
            "observations": list(plant.observations), "parameters": numbers}  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="taut_fmu_") as folder:
        script = write_script(Path(folder), plant.scenario.name, fmi, text + json.dumps(told))
        (Path(folder) / "scenario.yaml").write_text(text, encoding="utf-8")
        (Path(folder) / "machine.json").write_text(json.dumps(told), encoding="utf-8")
        return write_whole(path, packed(packer, script, PACKERS[fmi][2]))


def find_packer(fmi: str) -> Any:
    """The library that packs FMUs of a version."""
    if fmi not in PACKERS:
        raise refuse("is no version of FMI that can be written", fmi, list(PACKERS))
    try:
        return import_module(f"{PACKERS[fmi][0]}.builder").FmuBuilder
    except ImportError:
        message = f"{PACKERS[fmi][0]} is not installed"
        raise ScenarioError([Problem(message, remedy='pip install "taut[loop]"')]) from None


def number_at(text: str, key: str) -> float:
    """The number at a key of a scenario."""
    from taut.scenario.io.source import split_path
    from taut.scenario.io.yaml_text import read_yaml

    here, _ = read_yaml(text, "scenario")
    for step in split_path(key):
        if isinstance(here, list) and isinstance(step, str):
            here = next((entry for entry in here if isinstance(entry, dict) and entry.get("name") == step), None)
            continue
        known = list(here) if isinstance(here, dict) else []
        if not isinstance(here, dict | list) or (isinstance(here, dict) and step not in here):
            remedy = suggest(str(step), [str(name) for name in known]) or "name it as --set does"
            raise ScenarioError([Problem("is no number of the scenario", key, remedy=remedy)])
        if isinstance(here, list) and not step < len(here):  # type: ignore[operator]
            raise refuse("is no number of the scenario", key, remedy=f"that list has {len(here)} entries, from 0")
        here = here[step]  # type: ignore[index]
    if isinstance(here, bool) or not isinstance(here, int | float):
        raise refuse("is no number of the scenario", key, remedy="name one that is written in the scenario")
    return float(here)


def write_script(folder: Path, title: str, fmi: str, content: str) -> Path:
    """The few lines of Python in the FMU; their module has a name of its own, so that several FMUs can be loaded."""
    version = import_module("taut").__version__
    words = re.findall(r"[A-Za-z0-9]+", title) or ["machine"]
    name = "Taut" + "".join(word.capitalize() for word in words)[:40]
    text = (Path(__file__).parent / PACKERS[fmi][1]).read_text(encoding="utf-8")
    for mark, value in (("@NAME@", name), ("@VERSION@", version), ("@TITLE@", repr(title))):
        text = text.replace(mark, value)
    digest = hashlib.sha256((content + fmi).encode()).hexdigest()[:12]
    path = folder / f"taut_{digest}.py"
    path.write_text(text, encoding="utf-8")
    return path


def packed(packer: Any, script: Path, handles_state: str) -> bytes:
    """Let the library make the file, in the folder of the script, which it imports by its name; the file's content."""
    folder = script.parent
    files = {folder / "scenario.yaml", folder / "machine.json"}
    sys.path.insert(0, str(folder))
    try:
        made = packer.build_FMU(script, dest=folder, project_files=files, **{handles_state: True})
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop(script.stem, None)
    return Path(made).read_bytes()
