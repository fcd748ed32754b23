"""What `taut invdyn` says of a cable robot: tensions, speeds and power along its motion."""

from pathlib import Path
from typing import Any

import numpy as np

LIGHT = 0.02  # largest mass of the cables, relative to that of the platform, that may be neglected


def following_answer(scenario: Any, output: Path, method: str) -> tuple[Any, dict[str, Any]]:
    """Cables along the scenario's motion, saved, and their figures."""
    from taut.results.store import check_target
    from taut.robots.following import follow
    from taut.views.robots.cables import draw_cables

    check_target(output)
    found = follow(scenario, method=method)
    if output.suffix == ".nc":
        found.to_xarray().to_netcdf(output, engine="h5netcdf")
    else:
        draw_cables(found.to_xarray(), "cable_tension", output)
    pulls, speeds = found.tensions.tensions, found.speeds
    known = np.isfinite(pulls).all(axis=1)
    low, high, most = (
        (pulls[known].min(axis=0), pulls[known].max(axis=0), np.abs(found.power[known]).max(axis=0))
        if known.any()
        else np.full((3, len(found.cables)), np.nan)
    )
    worst = int(np.argmax(found.tensions.missing))
    return found, {
        "ok": bool(found.tensions.is_within.all()),
        "output": str(output),
        "method": method,
        "cables": list(found.cables),
        "smallest_tension": low.tolist(),
        "largest_tension": high.tolist(),
        "largest_speed": np.abs(speeds).max(axis=0).tolist(),
        "largest_power": most.tolist(),
        "work": float(found.work[-1]),
        "energy_change": float(found.energy[-1]),
        "work_energy_error": found.work_error,
        "cable_mass_share": found.cable_share,
        "infeasible": int(np.sum(~found.tensions.is_within)),
        "worst_time": float(found.times[worst]) if found.tensions.missing[worst] > 0.0 else None,
        "missing": float(found.tensions.missing[worst]),
    }


def following_lines(found: Any, answer: dict[str, Any]) -> list[str]:
    """Lines of text for how well the cables follow."""
    lines = [f"{found.name}: inverse dynamics over {found.times[-1]:.6g} s, tensions by {answer['method']}"]
    lines.append(f"  {'cable':12s} {'tension [N]':>25s} {'speed [m/s]':>12s} {'power [W]':>12s}")
    rows = zip(answer["cables"], answer["smallest_tension"], answer["largest_tension"], answer["largest_speed"],
               answer["largest_power"], strict=True)  # fmt: skip
    lines += [f"  {name:12s} {low:11.6g} to {high:10.6g} {speed:12.4g} {power:12.4g}"
              for name, low, high, speed, power in rows]  # fmt: skip
    lines.append(f"  work {answer['work']:.9g} J, change of energy {answer['energy_change']:.9g} J, "
                 f"largest difference on the way {answer['work_energy_error']:.2g} J")  # fmt: skip
    if answer["cable_mass_share"] > LIGHT:
        share = f"{100.0 * answer['cable_mass_share']:.3g} %"
        lines.append(
            f"  TOO HEAVY: the cables have {share} of the platform's mass, which is left out here, not in a run"
        )
    if not answer["ok"]:
        what = f"  at {answer['infeasible']} of {len(found.times)} times there are no tensions within the limits"
        worst = "" if answer["worst_time"] is None else (
            f"; at {answer['worst_time']:.6g} s {answer['missing']:.6g} N are missing")  # fmt: skip
        lines.append(what + worst)
    if "drive" in answer:
        lines.append(f"wrote {answer['drive']}: the scenario whose winches lead these lengths")
    return [*lines, f"wrote {answer['output']}"]


def write_led(scenario: Any, found: Any, target: Path) -> Path:
    """Write the scenario whose winches lead the lengths found."""
    from taut.results.errors import write_text
    from taut.robots.following import led_scenario
    from taut.scenario.io.writing import dumps

    write_text(target, dumps(led_scenario(scenario, found)))
    return target
