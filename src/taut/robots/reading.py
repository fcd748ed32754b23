"""Texts and files that stand for poses, limits, regions and measurements."""

import csv
from pathlib import Path as File
from typing import Any

import numpy as np

from taut.robots.problems import refusal
from taut.robots.robot import COORDINATES, Robot
from taut.robots.rotations import euler_angles

WORDS = {"inf": np.inf, "none": np.inf, "": np.inf}


def read_numbers(text: str, at: str) -> np.ndarray:
    """Numbers with commas or blanks between."""
    try:
        return np.array([float(part) for part in text.replace(",", " ").split()])
    except ValueError:
        raise refusal("needs numbers with commas between", at=at, value=text) from None


def read_limits(text: str | None) -> tuple[float, float] | None:
    """Smallest and largest tension from LOW:HIGH; HIGH may be empty: no upper limit."""
    if text is None:
        return None
    low, colon, high = text.partition(":")
    try:
        if not colon:
            raise ValueError(text)
        return float(low or 0.0), WORDS[high.strip()] if high.strip() in WORDS else float(high)
    except ValueError:
        raise refusal("must be LOW:HIGH", at="limits", value=text, remedy="for example 100:3000, or 100: [N]") from None


def read_region(text: str | None) -> dict[str, Any] | None:
    """Ranges of coordinates from x=-2:2,y=0,z=0.5:2."""
    if text is None:
        return None
    found: dict[str, Any] = {}
    for part in text.split(","):
        name, _, span = part.partition("=")
        try:
            numbers = [float(number) for number in span.split(":")]
        except ValueError:
            numbers = []
        if len(numbers) not in (1, 2) or not name.strip():
            raise refusal("must be x=LOW:HIGH,y=VALUE,...", at="region", value=text)
        found[name.strip()] = numbers[0] if len(numbers) == 1 else tuple(numbers)
    return found


def read_orientations(text: str | None) -> np.ndarray | None:
    """Sets of angles in a text, with semicolons between."""
    if text is None:
        return None
    rows = [read_numbers(part, "orientations") for part in text.split(";")]
    if len({len(row) for row in rows}) != 1:
        raise refusal("orientations need the same number of angles", at="orientations", value=text)
    return np.array(rows)


def read_table(path: str | File) -> tuple[list[str], np.ndarray]:
    """Names and numbers of a CSV file with a line of names.

    Raises:
        ScenarioError: it is not there, or holds something else than numbers.
    """
    try:
        with File(path).open(encoding="utf-8-sig", newline="") as stream:
            rows = [row for row in csv.reader(stream) if row and not row[0].lstrip().startswith("#")]
        names = [name.strip() for name in rows[0]]
        return names, np.array([[float(part) for part in row] for row in rows[1:]]).reshape(-1, len(names))
    except OSError as error:
        raise refusal(f"cannot be read: {error.strerror}", at=str(path)) from None
    except (ValueError, IndexError, UnicodeDecodeError):
        remedy = "a first line with names as time,x,y,z,a,b,c, then numbers"
        raise refusal("is no table of numbers", at=str(path), remedy=remedy) from None


def read_path(robot: Robot, path: str | File) -> tuple[np.ndarray, np.ndarray | None]:
    """Poses and times of a path: a CSV file with columns x, y, z, a, b, c and time, or the result of a run."""
    if File(path).suffix == ".nc":
        return read_result_path(robot, path)
    names, numbers = read_table(path)
    return columns(robot, names, numbers, path), numbers[:, names.index("time")] if "time" in names else None


def write_path(path: str | File, names: Any, times: np.ndarray, poses: np.ndarray) -> None:
    """Write a path as ``read_path`` reads it."""
    lines = [",".join(["time", *names])]
    lines += [",".join(repr(float(x)) for x in (t, *row)) for t, row in zip(times, poses, strict=True)]
    try:
        File(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise refusal(f"cannot be written: {error.strerror}", at=str(path)) from None


def columns(robot: Robot, names: list[str], numbers: np.ndarray, path: str | File) -> np.ndarray:
    """The robot's coordinates out of a table; angles that are missing are those of the start."""
    missing = [name for name in robot.coordinates if name not in names and name in COORDINATES[:3]]
    if missing or not len(numbers):
        message = f"has no column {', '.join(missing)}" if missing else "has no rows"
        raise refusal(message, at=str(path), remedy=f"columns are {', '.join(robot.coordinates)}, and time")
    start = dict(zip(robot.coordinates, robot.start, strict=True))
    parts = [numbers[:, names.index(name)] if name in names else np.full(len(numbers), start[name])
             for name in robot.coordinates]  # fmt: skip
    return np.stack(parts, axis=1)


def read_result_path(robot: Robot, path: str | File) -> tuple[np.ndarray, np.ndarray | None]:
    """Poses of the platform in a run."""
    from taut.results.result import open_result
    from taut.scenario.records.orientation import rotation_from_quaternion

    with open_result(path) as result:
        data = result.dataset
        if "platform_position" not in data:
            raise refusal("has no platform", at=str(path))
        places, turns = data["platform_position"].values, data["platform_quaternion"].values
        times = data["time"].values.copy()
    full = np.array([[*x, *euler_angles(rotation_from_quaternion(q))] for x, q in zip(places, turns, strict=True)])
    full[:, 3:] = np.unwrap(full[:, 3:], axis=0)
    kept = np.concatenate([[True], np.diff(times) > 0.0])
    return full[kept][:, robot.rows], times[kept]


def read_measurements(robot: Robot, path: str | File) -> tuple[np.ndarray, np.ndarray]:
    """Poses and lengths from a CSV file: columns x, y, z, ... and one with the name of every cable."""
    names, numbers = read_table(path)
    lengths = cable_columns(robot, names, numbers, path)
    return columns(robot, names, numbers, path), lengths


def read_tensions(robot: Robot, path: str | File) -> np.ndarray:
    """Tensions from a CSV file: columns with the name of every cable and _tension behind it."""
    names, numbers = read_table(path)
    missing = [f"{name}_tension" for name in robot.cables if f"{name}_tension" not in names]
    if missing:
        remedy = "the stiffness needs measured tensions, one column per cable"
        raise refusal(f"has no column {missing[0]}", at=str(path), remedy=remedy)
    return np.stack([numbers[:, names.index(f"{name}_tension")] for name in robot.cables], axis=1)


def read_lengths(robot: Robot, path: str | File) -> tuple[np.ndarray, np.ndarray | None]:
    """Lengths, and times where there are some, from a CSV file with a column for every cable."""
    names, numbers = read_table(path)
    return cable_columns(robot, names, numbers, path), numbers[:, names.index("time")] if "time" in names else None


def cable_columns(robot: Robot, names: list[str], numbers: np.ndarray, path: str | File) -> np.ndarray:
    """One column per cable, by its name."""
    missing = [name for name in robot.cables if name not in names]
    if missing:
        remedy = "one column of lengths per cable, by its name"
        raise refusal(f"has no column {missing[0]}", at=str(path), remedy=remedy)
    found = np.stack([numbers[:, names.index(name)] for name in robot.cables], axis=1)
    wrong = np.argwhere(~(np.isfinite(found) & (found > 0.0)))
    if len(wrong):
        row, k = (int(number) for number in wrong[0])
        message = f"row {row + 1} of {robot.cables[k]} must be a positive length"
        raise refusal(message, at=str(path), value=found[row, k])
    return found
