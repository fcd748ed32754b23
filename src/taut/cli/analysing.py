"""What `taut invdyn` and `taut spaces` ask, as plain data and as text."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

Answer = tuple[dict[str, Any], list[str]]


def inverse_answer(scenario: Any, output: Path, actuators: list[str] | None) -> tuple[Any, dict[str, Any]]:
    """Inverse dynamics of a scenario, saved, and its figures."""
    from taut.analyses.inverse_result import inverse_motion
    from taut.build import build
    from taut.results.store import check_target

    from .running import compile_engine

    check_target(output)
    model = build(scenario)
    compile_engine(model)
    result = inverse_motion(model, actuators)
    result.save(output)
    forces, power = result["actuator_force"], result["actuator_power"].values
    energy = result.audit["energy"]
    return result, {
        "ok": result.audit["verdict"] == "pass",
        "output": str(output),
        "actuators": [str(name) for name in result["actuator"].values],
        "largest_force": np.abs(forces.values).max(axis=0).tolist(),
        "root_mean_square_force": np.sqrt(np.mean(forces.values**2, axis=0)).tolist(),
        "largest_power": np.abs(power).max(axis=0).tolist(),
        "work": energy["input"],
        "energy_change": energy["stored"],
        "work_energy_error": energy["error"],
        "condition_gain": float(result["condition_gain"].max()),
        "condition_loss": float(result["condition_loss"].max()),
        "events": result.events,
    }


def inverse_lines(result: Any, answer: dict[str, Any]) -> list[str]:
    """Lines of text for the results of inverse dynamics."""
    lines = [f"{result.title}: inverse dynamics over {result.time[-1]:.6g} s"]
    lines.append(f"  {'actuator':16s} {'largest force':>14s} {'rms force':>12s} {'largest power':>14s}")
    rows = zip(answer["actuators"], answer["largest_force"], answer["root_mean_square_force"], answer["largest_power"],
               strict=True)  # fmt: skip
    lines += [f"  {name:16s} {force:14.6g} {rms:12.6g} {power:14.6g}" for name, force, rms, power in rows]
    lines.append(f"  work {answer['work']:.9g} J, change of energy {answer['energy_change']:.9g} J, "
                 f"largest difference on the way {answer['work_energy_error']:.2g} J")  # fmt: skip
    lines.append(
        f"  condition numbers up to {answer['condition_gain']:.3g} (gain), {answer['condition_loss']:.3g} (loss)"
    )
    lines += [f"  {event['what']}" for event in answer["events"]]
    if "drive" in answer:
        lines.append(f"wrote {answer['drive']}: the scenario driven by these forces")
    return [*lines, f"wrote {answer['output']}: {'audit passes' if answer['ok'] else 'AUDIT FAILED'}"]


def drive_scenario(scenario: Any, target: Path) -> Path:
    """Write the scenario driven by the forces of its motion."""
    from taut.analyses.driven_scenario import driven_scenario
    from taut.build import build
    from taut.results.errors import write_text
    from taut.scenario.io.writing import dumps

    write_text(target, dumps(driven_scenario(build(scenario))))
    return target


def spaces_answer(scenario: Any) -> Answer:
    """Sizes and condition numbers of all spaces at the start."""
    from taut.analyses.spaces.report import describe_spaces
    from taut.build import build

    answer = asdict(describe_spaces(build(scenario)))
    lines = [f"{scenario.name}: {answer['freedoms']} freedoms"]
    lines.append(
        f"  {'space':22s} {'coordinates':>11s} {'constraints':>11s} {'cond M':>10s} {'cond of elimination':>20s}"
    )
    lines += [f"  {s['space']:22s} {s['coordinates']:11d} {s['constraints']:11d} {s['condition_M']:10.4g} "
              f"{s['condition']:20.4g}" for s in answer["spaces"]]  # fmt: skip
    lines.append(f"  kept in actuator space: {', '.join(answer['actuator'])}")
    lines.append(f"  kept in task space: {', '.join(answer['task'])}")
    lines.append(f"  condition numbers: gain {answer['condition_gain']:.4g}, loss {answer['condition_loss']:.4g}")
    return answer, lines


def space_answer(scenario: Any, space: str) -> Answer:
    """Coefficient matrices of one space at the start."""
    from taut.analyses.spaces.report import describe_space
    from taut.build import build

    found = describe_space(build(scenario), space)
    matrices = {name: getattr(found, name).tolist() for name in ("M", "C", "G", "J", "Gamma")}
    answer = {"space": space, "names": list(found.names), "rows": list(found.rows), **matrices}
    lines = [f"{scenario.name}, {space}: {', '.join(answer['names'])}"]
    for name in ("M", "C", "G", "J"):
        lines.append(f"{name} =")
        lines += ["  " + " ".join(f"{x:11.5g}" for x in np.atleast_1d(row)) for row in answer[name]]
    return answer, lines


def table_answer(scenario: Any) -> Answer:
    """The run of the scenario in all its spaces."""
    from taut.analyses.spaces.table import compare, table_lines
    from taut.build import build

    rows = compare(build(scenario))
    return {"spaces": rows}, table_lines(rows)


def poses_answer(scenario: Any) -> Answer:
    """All poses for the actuator coordinates of the start."""
    from taut.analyses.spaces.kinematics import actuated_coordinates, all_poses
    from taut.build import build
    from taut.integrate.start.start_state import start_state

    model = build(scenario)
    found = all_poses(model, start_state(model).data.q[actuated_coordinates(model)])
    rows = [list(pose.platform) for pose in found]
    lines = [f"{scenario.name}: {len(rows)} poses found (x, y, z [m], Rodrigues parameters)"]
    return {"poses": rows}, [*lines, *("  " + " ".join(f"{x:12.8f}" for x in row) for row in rows)]


def scan_answer(scenario: Any, text: str, picture: Path) -> Answer:
    """The safe working zone of a plane, with its picture."""
    from taut.analyses.spaces.scan import default_grid, parse_grid, scan
    from taut.build import build
    from taut.views.plots.zone import draw_zone

    model = build(scenario)
    field = scan(model, default_grid(model) if text == "auto" else parse_grid(text))
    draw_zone(field, picture)
    reached, safe = np.isfinite(field["condition_gain"].values), field["is_safe"].values
    answer = {
        "points": int(safe.size),
        "reached": int(reached.sum()),
        "in_range": int(field["is_in_range"].values.sum()),
        "safe": int(safe.sum()),
        "limit": float(field.attrs["limit"]),
        "picture": str(picture),
    }
    counts = (
        f"of {answer['points']} poses {answer['reached']} can be reached, {answer['in_range']} with all joints in range"
    )
    safe_ones = f"{answer['safe']} are safe (condition numbers up to {answer['limit']:g})"
    return answer, [f"{scenario.name}: {counts}, {safe_ones}", f"wrote {picture}"]
