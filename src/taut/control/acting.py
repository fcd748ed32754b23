"""An instant of the controllers in compiled code: what arrives, what is measured, what is answered, limited and sent.

It does what ``Controls`` does in Python, for machines whose controllers are all laws (``control/law.py``) and whose
measurements are all sums of products of numbers in the workspace (``control/measuring/words.py``). What only Python can
do is left to it: the function returns before anything is changed that would be changed again.
"""

import numpy as np

from taut.control.law import BLOCK, DONE
from taut.dynamics.courses import start_course
from taut.kernels.bundle import Bundle
from taut.kernels.jit import block, entry, part
from taut.kernels.many import WORD, call_entry, number_at, put_number, put_word

# entries of ``calls``: address of the function that places the machine, and its arguments
PLACE, MODEL, DATA, FORCES, FORCE_COUNT = range(5)
# columns of ``laws``, all addresses: a law's entry, its bundle, and the arrays of its measurements, time, row of
# references and commands
ENTRY, BUNDLE, TOLD, TIME, SLOT, OUT = range(6)
# columns of ``clocks``, in seconds; UNTIL: from this time on Python must prepare the law before it can answer
START, PERIOD, DELAY, UNTIL = range(4)
NOISE_BLOCK = 64  # number of samples whose noise is drawn at once
LOG = 256  # number of samples that the log holds until Python takes them over
# outcomes of an instant: done; Python must first fill the tables; Python must answer for a law
ACTED, TABLES, ANSWER = 1, 2, 3


class Acting(Bundle):
    """What an instant reads and writes; integers of the kind "address" are places in memory."""

    calls: np.ndarray
    first_term: np.ndarray  # index of the first product in the sum that makes a measured number [numbers + 1]
    term_at: np.ndarray  # addresses of a product's factors; 0 stands for a factor of one [products, 3]
    term_scale: np.ndarray
    noise_size: np.ndarray  # standard deviation of the noise of each measured number
    bias: np.ndarray
    resolution: np.ndarray  # quantum of a sensor's values; 0: values are not rounded [numbers]
    noise: np.ndarray  # normally distributed noise of a block of samples, standard deviation 1 [NOISE_BLOCK, numbers]
    noise_block: np.ndarray  # number of the block of samples for which ``noise`` was drawn [1]
    samples: np.ndarray  # samples taken so far [1]
    values: np.ndarray  # numbers measured at the present sample [numbers]
    is_given: np.ndarray  # 1 if the values are those of a log and not to be measured [1]
    laws: np.ndarray  # addresses of each law's code and arrays [law, 6]
    clocks: np.ndarray  # first sample, period, delay and time of the next preparation of each law [s], shape [law, 4]
    counts: np.ndarray  # number of samples that each law has taken so far [law]
    blocks: np.ndarray  # number of the block of samples whose references are in the law's table [law]
    answered: np.ndarray  # 1 if a law has its answer for this sample, -1 if Python must give it [law]
    first_told: np.ndarray  # index in ``told`` of the first measured number of each law [laws + 1]
    told: np.ndarray  # indices of the measured numbers, law by law
    first_command: np.ndarray  # index in ``command`` of the first command of each law [laws + 1]
    command: np.ndarray  # indices of the commands, law by law
    step_limit: np.ndarray  # largest change of a command from one sample to the next, law by law
    rows: np.ndarray  # courses of the commands; this array is the run's own [command, ENTRIES]
    acts: np.ndarray  # kind of what a command acts on, as in ``dynamics/courses.py`` [command]
    lag: np.ndarray  # time constants of the actuators' first-order lags [s], shape [command]
    limits: np.ndarray  # least and largest value of a command [command, 2]
    asked: np.ndarray  # last value of a command, within its limits, before delay and lag [command]
    waiting: np.ndarray  # number of answers that are delayed and have not arrived [1]
    due: np.ndarray  # times at which the delayed answers arrive [s], shape [answer]
    sender: np.ndarray  # laws that gave the delayed answers [answer]
    queued: np.ndarray  # commands of the delayed answers [answer, command]
    spans: np.ndarray  # times in which the commands of the delayed answers ramp to their values [s], shape [answer]
    logged: np.ndarray  # number of samples in the log [1]
    log_time: np.ndarray
    log_value: np.ndarray
    log_asked: np.ndarray
    now: np.ndarray  # the instant [s], shape [1]
    slack: np.ndarray  # instants closer together than this are the same [s], shape [1]


@entry
def act(acting):
    """Carry out an instant, with the machine's state in the workspace of the measurements."""
    time = acting.now[0]
    if not is_ready(acting, time):
        return TABLES
    arrive(acting, time)
    if not is_any_due(acting, time):
        return ACTED
    if acting.is_given[0] == 0:
        measure(acting)
    for c in range(len(acting.counts)):
        if is_due(acting, c, time) and acting.answered[c] == 0:
            if call_law(acting, c, time) != DONE:
                # a law that refuses has changed nothing: Python answers for it, and the instant is then repeated
                acting.answered[c] = -1
                return ANSWER
            acting.answered[c] = 1
    for c in range(len(acting.counts)):
        if acting.answered[c] == 1:
            acting.answered[c] = 0
            acting.counts[c] += 1
            send(acting, c, time)
    note(acting, time)
    arrive(acting, time)
    return ACTED


@part
def note(acting, time):
    """Count the sample, and put it into the log."""
    acting.samples[0] += 1
    k = acting.logged[0]
    acting.log_time[k] = time
    for i in range(len(acting.values)):
        acting.log_value[k, i] = acting.values[i]
    for i in range(len(acting.asked)):
        acting.log_asked[k, i] = acting.asked[i]
    acting.logged[0] = k + 1


@part
def is_due(acting, c, time):
    """Whether a law takes a sample."""
    clock = acting.clocks[c]
    return clock[START] + acting.counts[c] * clock[PERIOD] <= time + acting.slack[0]


@part
def is_any_due(acting, time):
    """Whether a sample is taken."""
    for c in range(len(acting.counts)):
        if is_due(acting, c, time):
            return True
    return False


@part
def is_ready(acting, time):
    """Whether all that a sample needs is in the tables: noise, references, room in the log and in the queue."""
    if not is_any_due(acting, time):
        return True
    for c in range(len(acting.counts)):
        late = acting.counts[c] // BLOCK != acting.blocks[c] or time >= acting.clocks[c, UNTIL]
        if late and is_due(acting, c, time):
            return False
    has_room = acting.logged[0] < LOG and acting.waiting[0] + len(acting.counts) <= len(acting.due)
    return has_room and acting.samples[0] // NOISE_BLOCK == acting.noise_block[0]


@block
def measure(acting):
    """Place the machine, and take all measurements with the faults of their sensors."""
    calls, n = acting.calls, acting.calls[FORCE_COUNT]
    # numba passes an array as: owner, parent, size, bytes of an entry, address, shape, strides
    call_entry(calls[PLACE], (calls[MODEL], calls[DATA], 0, 0, n, WORD, calls[FORCES], n, WORD))  # pyright: ignore[reportCallIssue]
    drawn = acting.noise[acting.samples[0] % NOISE_BLOCK]
    for i in range(len(acting.values)):
        value = 0.0
        for k in range(acting.first_term[i], acting.first_term[i + 1]):
            product = acting.term_scale[k]
            for j in range(3):
                if acting.term_at[k, j] != 0:
                    product *= number_at(acting.term_at[k, j])  # pyright: ignore[reportCallIssue]
            value += product
        value = value + acting.bias[i] + acting.noise_size[i] * drawn[i]
        step = acting.resolution[i]
        acting.values[i] = np.rint(value / step) * step if step > 0.0 else value


@block
def call_law(acting, c, time):
    """Call the entry of a law for its commands."""
    laws, first = acting.laws[c], acting.first_told[c]
    for k in range(first, acting.first_told[c + 1]):
        put_number(laws[TOLD] + WORD * (k - first), acting.values[acting.told[k]])  # pyright: ignore[reportCallIssue]
    put_number(laws[TIME], time)  # pyright: ignore[reportCallIssue]
    put_word(laws[SLOT], acting.counts[c] % BLOCK)  # pyright: ignore[reportCallIssue]
    return call_entry(laws[ENTRY], (laws[BUNDLE],))  # pyright: ignore[reportCallIssue]


@block
def send(acting, c, time):
    """Limit the commands of a law, and let them act now or after its delay."""
    at, first = acting.waiting[0], acting.first_command[c]
    for k in range(first, acting.first_command[c + 1]):
        i = acting.command[k]
        step = acting.step_limit[k]
        asked = number_at(acting.laws[c, OUT] + WORD * (k - first))  # pyright: ignore[reportCallIssue]
        asked = min(max(asked, acting.asked[i] - step), acting.asked[i] + step)
        asked = min(max(asked, acting.limits[i, 0]), acting.limits[i, 1])
        acting.asked[i] = asked
        acting.queued[at, i] = asked
    acting.sender[at] = c
    acting.due[at] = time + acting.clocks[c, DELAY]
    acting.spans[at] = acting.clocks[c, PERIOD]
    acting.waiting[0] = at + 1


@block
def arrive(acting, time):
    """Let the delayed commands act whose time has come; the order of the others stays."""
    left = 0
    for k in range(acting.waiting[0]):
        c = acting.sender[k]
        is_here = acting.due[k] <= time + acting.slack[0]
        for j in range(acting.first_command[c], acting.first_command[c + 1]):
            i = acting.command[j]
            asked = acting.queued[k, i]
            if is_here:
                start_course(acting.rows, i, acting.acts[i], acting.lag[i], asked, time, acting.spans[k])
            acting.queued[left, i] = asked
        acting.due[left], acting.spans[left], acting.sender[left] = acting.due[k], acting.spans[k], c
        left += 0 if is_here else 1
    acting.waiting[0] = left
