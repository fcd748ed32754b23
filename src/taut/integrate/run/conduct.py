"""Many segments in one call: instants of the controllers, restarts and steps, without Python between them.

For methods with a restart of their own here and machines whose controllers compiled code can call (``control/ahead``).
It calls the entries that Python calls too, by their addresses (``kernels/many``), so that the numbers are the same, and
returns to Python at the end of a segment in which there is something to be kept, or where it cannot go on alone.
"""

from collections.abc import Sequence

import numpy as np

from taut.control.acting import ACTED, Acting, act
from taut.control.ahead import Ahead, made_address
from taut.control.controls import JUMP
from taut.integrate.radau.advance import radau_advance
from taut.integrate.radau.method import Radau
from taut.integrate.samples.raw import Samples
from taut.integrate.status import DONE
from taut.integrate.step.method import Method
from taut.kernels.bundle import Bundle
from taut.kernels.jit import entry, part
from taut.kernels.many import WORD, call_entry, put_word, word_at

SEGMENTS = 64  # most segments in one call
NEEDED = -1000  # code: the next segment begins with an instant that needs Python
ADVANCE, MODEL, WORK, SAMPLES, MOST, LOG_LENGTH, ACT, ACTING = range(8)  # entries of ``calls``

Segment = tuple[float, float, int]


class Conducted(Bundle):
    """What a call reads and writes; integers are addresses, but for flags and counts."""

    calls: np.ndarray
    acting: Acting
    starts: np.ndarray  # times at which the segments begin [s]
    ends: np.ndarray
    lows: np.ndarray  # lower limit of the times by which signals choose their pieces, for each segment [s]
    highs: np.ndarray
    jumps: np.ndarray  # 1 if the method restarts at the start of a segment
    acts: np.ndarray  # 1 if the controllers act at the start of a segment
    at: np.ndarray  # number of the segment under way, and of all segments [2]
    clock: np.recarray  # clock of the method: time, step size
    count: np.recarray
    restart_step: np.ndarray  # first step after a jump, relative to the last step [1]
    # limits of the times by which signals choose their pieces, in each workspace [s], shape [2]
    window: np.ndarray
    stage_window: np.ndarray
    seen_window: np.ndarray
    seen_time: np.ndarray
    copy_from: np.ndarray  # state of the method, copied into the workspace of the measurements
    copy_to: np.ndarray
    copy_words: np.ndarray


@entry
def conduct_radau(work):
    """Go through segments; returns the code of the last call of the method, or NEEDED."""
    calls, clock, count = work.calls, work.clock[0], work.count[0]
    while work.at[0] < work.at[1]:
        k = work.at[0]
        if work.acts[k] != 0:
            show_state(work, work.starts[k])
            acted = call_entry(calls[ACT], (calls[ACTING],))  # pyright: ignore[reportCallIssue]
            if acted != ACTED:
                return NEEDED
            # the controllers must not act twice if the method returns to Python before the end of this segment
            work.acts[k] = 0
        clock.end = work.ends[k]
        for window in (work.window, work.stage_window):
            window[0], window[1] = work.lows[k], work.highs[k]
        if work.jumps[k] != 0:
            restart(work)
        # the Newton matrix is recomputed at every call
        clock.factor_step, count.is_fresh = 0.0, 0
        words = (calls[MODEL], calls[WORK], calls[SAMPLES], calls[MOST])
        code = call_entry(calls[ADVANCE], words)  # pyright: ignore[reportCallIssue]
        has_news = count.next_sample > 0 or count.is_witness != 0 or 2 * count.logged >= calls[LOG_LENGTH]
        if code != DONE or has_news or count.is_pending != 0:
            return code
        work.at[0] = k + 1
    # leave the last segment as the present one, whose end Python handles
    work.at[0] -= 1
    return DONE


@part
def show_state(work, time):
    """Bring the workspace of the measurements to the state at an instant."""
    work.acting.now[0] = time
    work.seen_time[0] = work.clock[0].time
    work.seen_window[0], work.seen_window[1] = work.stage_window[0], work.stage_window[1]
    for j in range(len(work.copy_words)):
        for i in range(work.copy_words[j]):
            word = word_at(work.copy_from[j] + WORD * i)  # pyright: ignore[reportCallIssue]
            put_word(work.copy_to[j] + WORD * i, word)  # pyright: ignore[reportCallIssue]


@part
def restart(work):
    """Restart Radau's method after a jump, as ``Method.restart`` and ``Radau.restart`` do in Python."""
    clock, count = work.clock[0], work.count[0]
    count.is_first, count.is_rejected = 1, 0
    if count.accepted > 0:
        clock.step *= work.restart_step[0]
    if 0.0 < clock.jump_step < clock.step:
        clock.step = clock.jump_step
    clock.refused_step, count.let_pass = 0.0, 0


class Conductor:
    """Segments of one motion, handed to compiled code some dozens at a time."""

    def __init__(self, method: Method, ahead: Ahead) -> None:
        """Take the addresses of the method and of the controllers."""
        self.method, self.ahead = method, ahead
        work, see = method.work, ahead.measurements.data
        state = [(getattr(work, name), getattr(see, name)) for name in ("q", "v", "z", "acceleration", "lam")]
        numbers = {name: np.zeros(SEGMENTS) for name in ("starts", "ends", "lows", "highs")}
        flags = {name: np.zeros(SEGMENTS, np.int64) for name in ("jumps", "acts")}
        self.model = method.model
        calls = np.zeros(ACTING + 1, np.int64)
        calls[MODEL], calls[WORK] = self.model.tables._address, work._address
        calls[ACT], calls[ACTING] = made_address(act, ahead.acting), ahead.acting._address
        self.work = Conducted(
            calls=calls,
            acting=ahead.acting,
            at=np.zeros(2, np.int64),
            clock=work.clock,
            count=work.count,
            restart_step=np.array([method.restart_step]),
            window=work.at.window,
            stage_window=work.stage.window,
            seen_window=see.window,
            seen_time=see.time,
            copy_from=np.array([source.ctypes.data for source, _ in state]),
            copy_to=np.array([target.ctypes.data for _, target in state]),
            copy_words=np.array([source.size for source, _ in state]),
            **numbers,
            **flags,
        )

    def go(
        self, marks: "Marks", span: tuple[int, int], room: tuple[Samples, int], *, is_acted: bool = False
    ) -> tuple[int, int]:
        """Go through segments, from the first to the last of a span; returns the one that it ended in, and a code.

        ``is_acted``: the controllers have acted at the start of the first one.
        """
        work, (samples, most), calls = self.work, room, self.work.calls
        if not calls[ADVANCE]:
            calls[ADVANCE] = made_address(radau_advance, self.model.tables, self.method.work, samples, most)
        calls[SAMPLES], calls[MOST], calls[LOG_LENGTH] = samples._address, most, len(samples.log)
        marks.fill(work, *span)
        if is_acted:
            work.acts[0] = 0
        work.at[0], work.at[1] = 0, span[1] + 1 - span[0]
        code = int(conduct_radau(work))
        return span[0] + int(work.at[0]), code


class Marks:
    """Start, end and kind of segments as arrays."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        """Take starts, ends, and what happens at the start."""
        table = np.array(segments, float).reshape(-1, 3)
        self.starts, self.ends, self.jumps = table[:, 0], table[:, 1], (table[:, 2] == JUMP).astype(np.int64)
        self.lows, self.highs = np.nextafter(self.starts, np.inf), np.nextafter(self.ends, -np.inf)
        self.acts = ((table[:, 2] != 0) & (self.starts > 0.0)).astype(np.int64)

    def fill(self, work: Conducted, first: int, last: int) -> None:
        """Put segments into the table of a call."""
        for name in ("starts", "ends", "lows", "highs", "jumps", "acts"):
            getattr(work, name)[: last + 1 - first] = getattr(self, name)[first : last + 1]


def conductor_of(method: Method, ahead: Ahead | None) -> Conductor | None:
    """Compiled code that passes the segments of a motion; None where Python is needed between them."""
    return Conductor(method, ahead) if ahead is not None and type(method) is Radau else None
