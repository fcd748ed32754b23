"""Moments of a result, read from the file in blocks of time, so that a result larger than the memory can be shown."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from taut.results.result import Result

WHOLE_BYTES = 24e6  # results smaller than this are read as a whole [bytes]
# size of the blocks in which larger results are read [bytes]: a jump in time then takes a few hundredths of a second
BLOCK_BYTES = 1e6
KEPT = 32  # number of blocks kept in memory
NO_LENGTH = 1e-9  # an element shorter than this [m] at the start is where a cable parts
CHANNELS = {
    "position": "body_position",
    "quaternion": "body_quaternion",
    "nodes": "cable_nodes",
    "tension": "cable_tension",
    "is_slack": "cable_slack",
    "anchor_force": "anchor_force",
    "is_cut": "cable_cut",
}
EMPTY = {"position": (0, 3), "quaternion": (0, 4), "nodes": (0, 0, 3), "tension": (0, 0), "is_slack": (0, 0),
         "anchor_force": (0, 3), "is_cut": (0,)}  # fmt: skip


@dataclass(frozen=True)
class Frame:
    """Where everything is at one time; arrays by body or cable as in the result, empty for what there is not."""

    time: float  # time of the frame [s]
    position: np.ndarray  # positions of bodies [m], shape [n_bodies, 3]
    quaternion: np.ndarray  # quaternions of bodies (w, x, y, z), shape [n_bodies, 4]
    nodes: np.ndarray  # nodes of cables [m], shape [n_cables, n_nodes, 3], NaN beyond a cable's last node
    tension: np.ndarray  # tensions of elements [N], shape [n_cables, n_elements], NaN beyond a cable's last element
    is_slack: np.ndarray  # whether elements are slack, shape [n_cables, n_elements]
    anchor_force: np.ndarray  # forces on the cables' ends at their anchors [N], shape [n_cables, 3]
    is_cut: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))  # whether cables are cut; empty: none is

    def gone(self, gaps: np.ndarray) -> np.ndarray:
        """Whether elements join nothing, as a cable is cut there [cable, element]; ``gaps`` are where cables part."""
        if not len(self.is_cut):
            return np.zeros(gaps.shape, bool)
        return gaps & self.is_cut[:, None]


def frame_of(time: float, channels: Mapping[str, np.ndarray]) -> Frame:
    """A moment from the channels of a result at one time [s]; those that are not there are empty."""
    fields = {field: np.asarray(channels.get(name, np.zeros(EMPTY[field]))) for field, name in CHANNELS.items()}
    return _frame(time, fields)


def _frame(time: float, fields: Mapping[str, np.ndarray]) -> Frame:
    """A moment with these fields."""
    flags = {name: fields[name].astype(bool) for name in ("is_slack", "is_cut")}
    return Frame(float(time), **{**fields, **flags})


def _gaps(nodes: np.ndarray) -> np.ndarray:
    """Elements without a length at the start [cable, element]: there cables part when they are cut."""
    if nodes.shape[1] < 2:
        return np.zeros((len(nodes), 0), bool)
    return np.linalg.norm(np.diff(nodes, axis=1), axis=2) < NO_LENGTH


class Frames:
    """The moments of a result; ``at(time)`` blends between two samples."""

    def __init__(self, result: Result) -> None:
        """Read the times only."""
        self.result = result
        self.time = np.asarray(result.time, float)
        self.bodies = _names(result, "body")
        self.cables = _names(result, "cable")
        self.element_counts = _element_counts(result)
        self._present = {field: name for field, name in CHANNELS.items() if name in result}
        self._blocks: OrderedDict[int, dict[str, np.ndarray]] = OrderedDict()
        size = sum(result[name].nbytes for name in self._present.values())
        share = 1.0 if size <= WHOLE_BYTES else BLOCK_BYTES / size
        self._rows = max(1, int(len(self.time) * share))  # number of samples in a block
        self.gaps = _gaps(self.sample(0).nodes) if len(self.time) else np.zeros((0, 0), bool)

    def __len__(self) -> int:
        """Number of samples."""
        return len(self.time)

    @property
    def end(self) -> float:
        """Time of the last sample [s]."""
        return float(self.time[-1]) if len(self.time) else 0.0

    def sample(self, index: int) -> Frame:
        """One sample of the result."""
        number, row = divmod(int(index), self._rows)
        block = self._block(number)
        fields = {name: block[name][row] if name in block else np.zeros(shape) for name, shape in EMPTY.items()}
        return _frame(self.time[index], fields)

    def at(self, time: float) -> Frame:
        """The moment at a time [s], blended between the two samples around it."""
        if len(self.time) < 2 or not self.time[0] < time < self.time[-1]:
            return self.sample(0 if not len(self.time) or time <= self.time[0] else len(self.time) - 1)
        after = int(np.searchsorted(self.time, time))
        before = self.sample(after - 1)
        if self.time[after - 1] == time:
            return before
        share = (time - self.time[after - 1]) / (self.time[after] - self.time[after - 1])
        return _blend(before, self.sample(after), float(share), time)

    def spread(self, count: int) -> list[Frame]:
        """About so many samples from the first to the last."""
        picked = np.unique(np.linspace(0, len(self.time) - 1, min(count, len(self.time))).round().astype(int))
        # read few samples that lie far apart one by one, instead of all blocks between them
        read = self.sample if len(self.time) < 8 * len(picked) or self._rows == len(self.time) else self._alone
        return [read(int(index)) for index in picked]

    def _alone(self, index: int) -> Frame:
        """One sample without the block around it, for a few samples far apart."""
        row = {field: self.result[name][index].values for field, name in self._present.items()}
        fields = {field: row.get(field, np.zeros(shape)) for field, shape in EMPTY.items()}
        return _frame(self.time[index], fields)

    def _block(self, number: int) -> dict[str, np.ndarray]:
        if number not in self._blocks:
            rows = slice(number * self._rows, (number + 1) * self._rows)
            self._blocks[number] = {
                field: self.result[name].isel(time=rows).values for field, name in self._present.items()
            }
            while len(self._blocks) > KEPT:
                self._blocks.popitem(last=False)
        self._blocks.move_to_end(number)
        return self._blocks[number]


def _blend(before: Frame, after: Frame, share: float, time: float) -> Frame:
    """Linear in time; quaternions of a result have no jumps of sign."""

    def mix(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return (1.0 - share) * a + share * b

    turn = mix(before.quaternion, after.quaternion)
    norm = np.linalg.norm(turn, axis=-1, keepdims=True)
    nearest = before if share < 0.5 else after
    nodes = mix(before.nodes, after.nodes)
    if len(nearest.is_cut):
        # a cable that is cut in between has other parts after than before
        is_cut_here = (before.is_cut != after.is_cut)[:, None, None]
        nodes = np.where(is_cut_here, nearest.nodes, nodes)
    return replace(
        nearest,
        time=float(time),
        position=mix(before.position, after.position),
        quaternion=np.where(norm > 0.0, turn / np.where(norm > 0.0, norm, 1.0), nearest.quaternion),
        nodes=nodes,
        tension=mix(before.tension, after.tension),
        anchor_force=mix(before.anchor_force, after.anchor_force),
    )


def _names(result: Result, dim: str) -> list[str]:
    return [str(name) for name in result.dataset[dim].values] if dim in result.dataset.coords else []


def _element_counts(result: Result) -> np.ndarray:
    if "cable_element_count" in result:
        return result["cable_element_count"].values.astype(int)
    if "cable_nodes" not in result:
        return np.zeros(0, int)
    return np.full(result.dataset.sizes["cable"], result.dataset.sizes["node"] - 1)
