"""How large a workspace is: lengths of lines inside it, added up over a grid of lines.

Along every line the boundary is found between samples, so that the length is exact; over the lines the sum is that of
the midpoint rule. Lines along two directions, and grids of lines that get finer, give independent answers: their spread
is the uncertainty.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from taut.robots.workspaces.fields import Field, is_inside

SAMPLES = 24  # intervals between the samples of the field along a line
CLOSER = 8  # parts into which an interval is divided where the field may touch zero between samples
ROUNDS = 8  # iterations of the search for the boundary between two samples
# evaluates the field at positions along lines: numbers of the lines, positions -> values
Along = Callable[[np.ndarray, np.ndarray], np.ndarray]
FIRST, LAST = 16, 256  # first and largest number of lines along each axis across them


@dataclass(frozen=True)
class Volume:
    """Volume (or area, or length) of a workspace."""

    value: float  # volume, area or length [m^d] for d dimensions
    uncertainty: float  # spread of answers by different grids of lines [m^d]
    dimensions: int  # number of coordinates d of a position
    evaluations: int  # number of evaluations of the field


class Counted:
    """A field that counts how often it is asked."""

    def __init__(self, field: Field) -> None:
        """Begin with a count of zero."""
        self.field, self.count = field, 0

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Evaluate the field at points, and count them."""
        self.count += len(points)
        return self.field(points)


def measure_volume(field: Field, box: np.ndarray, kind: str, tolerance: float) -> Volume:
    """The volume inside a box [2, d] to a relative tolerance, or as well as the finest grid of lines has it."""
    d, counted, lines = box.shape[1], Counted(field), FIRST
    ways = [d - 1] if d == 1 else [d - 1, 0]
    last, value, spread = None, 0.0, np.inf
    while True:
        sums = [line_sum(counted, box, way, lines, kind) for way in ways]
        value, spread = float(np.mean(sums)), float(np.ptp(sums))
        if last is not None:
            spread = max(spread, abs(value - last))
            if spread <= tolerance * max(value, 1e-300) or value == 0.0:
                break
        if lines >= (LAST if d == 3 else 16 * LAST) or d == 1:
            break
        last, lines = value, 2 * lines
    if d == 1:
        spread = float(np.ptp(box)) * 2.0**-ROUNDS / SAMPLES
    return Volume(value, spread, d, counted.count)


def line_sum(field: Field, box: np.ndarray, way: int, lines: int, kind: str) -> float:
    """Sum of the lengths inside of lines along an axis, times the area each stands for."""
    d = box.shape[1]
    across = [k for k in range(d) if k != way]
    middles = [box[0, k] + (np.arange(lines) + 0.5) / lines * (box[1, k] - box[0, k]) for k in across]
    starts = np.stack(np.meshgrid(*middles, indexing="ij"), -1).reshape(-1, d - 1) if across else np.zeros((1, 0))

    def along(line: np.ndarray, x: np.ndarray) -> np.ndarray:
        points = np.empty((len(line), d))
        points[:, across], points[:, way] = starts[line], x
        return field(points)

    total = inside_length(along, len(starts), (box[0, way], box[1, way]), kind)
    return float(total * np.prod([(box[1, k] - box[0, k]) / lines for k in across]))


def inside_length(along: Along, lines: int, span: tuple[float, float], kind: str) -> float:
    """Length inside of all lines together."""
    marks = np.linspace(*span, SAMPLES + 1)
    line = np.repeat(np.arange(lines), SAMPLES + 1)
    f = along(line, np.tile(marks, lines)).reshape(lines, SAMPLES + 1)
    near = turning(f)
    line, piece = np.nonzero(~near)
    parts = [(line, marks[piece], marks[piece + 1], f[line, piece], f[line, piece + 1])]
    # beside an extremum close to zero the field may cross zero twice between samples: refine there
    line, piece = np.nonzero(near)
    if len(line):
        shares = np.linspace(0.0, 1.0, CLOSER + 1)
        x = marks[piece, None] + shares * (marks[piece + 1] - marks[piece])[:, None]
        g = along(np.repeat(line, CLOSER + 1), x.ravel()).reshape(x.shape)
        many = np.repeat(line, CLOSER)
        parts.append((many, x[:, :-1].ravel(), x[:, 1:].ravel(), g[:, :-1].ravel(), g[:, 1:].ravel()))
    return sum(pieces_length(along, part, kind) for part in parts)


def turning(f: np.ndarray) -> np.ndarray:
    """Pieces beside an extremum that, by the slopes there, may reach zero; shape [n_lines, n_pieces]."""
    rise = np.diff(f, axis=1)
    with np.errstate(invalid="ignore"):
        steep = np.maximum(np.abs(rise[:, 1:]), np.abs(rise[:, :-1]))
        middle = f[:, 1:-1]
        turns = (rise[:, :-1] * rise[:, 1:] <= 0.0) & (np.abs(middle) <= steep) & (middle * rise[:, :-1] <= 0.0)
    found = np.zeros(rise.shape, bool)
    found[:, :-1] |= turns
    found[:, 1:] |= turns
    return found


def pieces_length(along: Along, pieces: tuple[np.ndarray, ...], kind: str) -> float:
    """Length inside of pieces of lines: line, both ends, both values."""
    line, low, high, f_low, f_high = pieces
    first, second = is_inside(f_low, kind), is_inside(f_high, kind)
    whole = float((high - low)[first & second].sum())
    crossed = first ^ second
    line, low, high, f_low, f_high, first = (part[crossed] for part in (line, low, high, f_low, f_high, first))
    x, y = np.where(first, low, high), np.where(first, high, low)
    fx, fy = np.where(first, f_low, f_high), np.where(first, f_high, f_low)
    return whole + float(np.abs(boundary(along, line, (x, y, fx, fy), kind) - x).sum())


def boundary(along: Along, line: np.ndarray, ends: tuple[np.ndarray, ...], kind: str) -> np.ndarray:
    """Where the boundary is between points inside and outside, by the Illinois method; halving at infinite values."""
    x, y, fx, fy = ends
    for _ in range(ROUNDS if len(line) else 0):
        middle = x + share_of(fx, fy) * (y - x)
        value = along(line, middle)
        is_in = is_inside(value, kind)
        # Illinois method: halve the value of the end that is kept, so that it moves in the next iteration
        fy, fx = np.where(is_in, 0.5 * fy, value), np.where(is_in, value, 0.5 * fx)
        x, y = np.where(is_in, middle, x), np.where(is_in, y, middle)
    return x + share_of(fx, fy) * (y - x)


def share_of(fx: np.ndarray, fy: np.ndarray) -> np.ndarray:
    """Where a straight line between two values passes zero, as a share of the way."""
    with np.errstate(invalid="ignore", divide="ignore"):
        share = fx / (fx - fy)
    return np.where(np.isfinite(share) & (share > 0.0) & (share < 1.0), share, 0.5)
