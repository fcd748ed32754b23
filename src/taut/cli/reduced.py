"""What `taut run` and `taut reduce` say about reduced models."""

from pathlib import Path
from typing import Any


def check_reduced(rom: Path | None, *, fallback: bool, resume: bool) -> dict[str, Any]:
    """Options of a run with a reduced model, for ``simulate``."""
    from taut.scenario.errors import Problem, ScenarioError

    if rom is None:
        if fallback:
            raise ScenarioError([Problem("needs a reduced model", "--rom-fallback", remedy="name it: --rom MODEL.rom")])
        return {}
    if resume and fallback:
        remedy = "start again with --restart in place of --resume"
        raise ScenarioError([Problem("cannot be resumed", "--rom-fallback", remedy=remedy)])
    return {"rom": rom, "rom_fallback": fallback}


def reduction_answer(reduction: Any, output: Path) -> dict[str, Any]:
    """A reduction as plain data."""
    notes = reduction.notes
    return {
        "output": str(output),
        "cables": {name: cable.as_dict() for name, cable in reduction.cables.items()},
        "left": reduction.left,
        **notes,
    }


def reduction_lines(reduction: Any, answer: dict[str, Any]) -> list[str]:
    """A reduction as text."""
    lines = [f"  {name}: {cable.words()}" for name, cable in reduction.cables.items()]
    for tried in answer.get("tried", []):
        lines.append(f"  {tried['points']} points: error {100 * tried['error']:.3g} %, of the forces "
                     f"{100 * tried['estimate']:.3g} %")  # fmt: skip
    if reduction.points is not None:
        lines.append(f"  forces linearised at {reduction.points.count} points")
    lines += [f"  {name} stays as it is: {why}" for name, why in answer["left"].items()]
    for k, errors in enumerate(answer["errors"]):
        lines.append(f"  training run {k + 1}: error {100 * errors['moved']:.3g} % in the norm of q - q(0), bodies "
                     f"{100 * errors['body']:.3g} % of their way, at most {errors['body_distance']:.3g} m")  # fmt: skip
    ratio = answer["seconds_full"] / max(answer["seconds_reduced"], 1e-9)
    lines.append(
        f"  {answer['seconds_full']:.3g} s full, {answer['seconds_reduced']:.3g} s reduced: {ratio:.2g} times as fast"
    )
    if max(answer["errors"][0]["moved"], answer["errors"][0]["body"]) > answer["target"]:
        lines.append(f"  warning: the error is above the target of {100 * answer['target']:.3g} %")
    return [*lines, f"wrote {answer['output']}"]
