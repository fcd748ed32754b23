"""Signals at an instant: value and two exact derivatives of piecewise polynomials, sinusoids and commands."""

import numpy as np

from taut.kernels.jit import kernel, part
from taut.model.commands import DECAY, HALF, INVERSE_LAG, RATE, SINCE, VALUE
from taut.model.enums import TermKind

SINUSOID = int(TermKind.SINUSOID)
COMMAND = int(TermKind.COMMAND)


@kernel
def evaluate_signals(model, data):
    """Fill data.signals at data.time.

    A step that ends at a break must see the left limit there: pieces are chosen within the limits in data.window. In
    statics rates are zero.
    """
    moving = 1.0 - data.still[0]
    time = data.time[0]
    commands = data.commands
    # pieces are chosen inside the window of the present step, so that its end sees the left limit of a jump
    chosen = min(max(time, data.window[0]), data.window[1])
    for k in range(len(model.signals)):
        signal = model.signals[k]
        value = 0.0
        rate = 0.0
        second = 0.0
        for j in range(signal.term, signal.term + signal.term_count):
            if model.terms[j].kind == SINUSOID:
                f, d, s = evaluate_sinusoid(model.terms[j], time, chosen)
            elif model.terms[j].kind == COMMAND:
                f, d, s = evaluate_command(commands, model.terms[j].piece, time)
                scale = model.terms[j].amplitude
                f, d, s = scale * f, scale * d, scale * s
            else:
                f, d, s = evaluate_pieces(model.pieces, model.terms[j], time, chosen)
            value += f
            rate += d
            second += s
        data.signals[k, 0] = value
        # in statics the machine does not move: rates are zero
        data.signals[k, 1] = moving * rate
        data.signals[k, 2] = moving * second


@part
def evaluate_sinusoid(term, time, chosen):
    """offset + amplitude sin(omega t + phase) on [start, end], held outside."""
    is_outside = chosen < term.start or chosen > term.end
    t = min(max(time, term.start), term.end)
    angle = term.omega * t + term.phase
    value = term.offset + term.amplitude * np.sin(angle)
    if is_outside:
        return value, 0.0, 0.0
    rate = term.amplitude * term.omega * np.cos(angle)
    return value, rate, -term.omega * term.omega * term.amplitude * np.sin(angle)


@part
def evaluate_command(commands, k, time):
    """The course of a command since it was last set, Eq. (1) of ``model.commands``."""
    s = time - commands[k, SINCE]
    half = commands[k, HALF]
    value = commands[k, VALUE] + s * (commands[k, RATE] + s * half)
    rate = commands[k, RATE] + 2.0 * s * half
    second = 2.0 * half
    if commands[k, DECAY] != 0.0:
        inverse = commands[k, INVERSE_LAG]
        decay = commands[k, DECAY] * np.exp(-s * inverse)
        value += decay
        rate -= inverse * decay
        second += inverse * inverse * decay
    return value, rate, second


@part
def evaluate_pieces(pieces, term, time, chosen):
    """The piece that holds the instant, by bisection; the end values are held outside.

    At a break the later piece counts: a run that restarts there sees the right limit.
    """
    low = term.piece
    high = term.piece + term.piece_count - 1
    while low < high:
        middle = (low + high + 1) // 2
        if pieces[middle].start <= chosen:
            low = middle
        else:
            high = middle - 1
    piece = pieces[low]
    u = (time - piece.mid) / piece.half
    # compared in time and not by the local u, whose rounding puts a break outside its own piece
    is_outside = chosen < term.start or chosen > term.end
    u = min(max(u, -1.0), 1.0)
    # Horner with two derivatives
    value = 0.0
    rate = 0.0
    second = 0.0
    for k in range(piece.degree, -1, -1):
        second = second * u + 2.0 * rate
        rate = rate * u + value
        value = value * u + piece.coefficient[k]
    if is_outside:
        return value, 0.0, 0.0
    return value, rate / piece.half, second / (piece.half * piece.half)
