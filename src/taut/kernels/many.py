"""Many workspaces in one call: entries called by their addresses, without Python between two of them.

An entry takes bundles (``bundle.py``), each one address. Here the addresses of many workspaces stand in arrays, a row
for each: words are put into it, an entry is called on it, and words are read from it. The entries are those that Python
calls too, so that the numbers are the same, and nothing is compiled again but this small loop.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from taut.kernels.bundle import Bundle
from taut.kernels.jit import entry

FAILED = -999  # code of a call that raised an exception in compiled code
WORD = 8  # size of a word [bytes]


class Many(Bundle):
    """Addresses and words of many workspaces, a row for each; addresses are integers."""

    model_at: np.ndarray  # addresses of the models' tables [row]
    work_at: np.ndarray  # addresses of the methods' workspaces [row]
    samples_at: np.ndarray
    advance_at: np.ndarray  # addresses of the entries (model, work, samples, most steps) -> code [row]
    most: np.ndarray  # most steps of one call, one number
    code: np.ndarray  # code that each entry returned [row]
    put_at: np.ndarray  # addresses of words to be written before the entry is called [row, word]
    put: np.ndarray
    clear_at: np.ndarray  # addresses of words to be set to zero after the entry was called [row, word]
    kept_at: np.ndarray  # addresses of words to be read after the entry was called [row, word]
    kept: np.ndarray
    copy_from: np.ndarray  # addresses of blocks to be copied into the workspace of the measurements [row, block]
    copy_to: np.ndarray
    copy_words: np.ndarray  # sizes of the blocks to be copied, in words
    place_at: np.ndarray  # addresses of the entries (model, workspace, forces) that place the machine [row]
    data_at: np.ndarray
    forces_at: np.ndarray
    force_count: np.ndarray  # number of forces, one number
    seen_at: np.ndarray  # addresses of words to be read at the end [row, word]
    seen: np.ndarray


@intrinsic
def word_at(_context: Any, address: Any) -> Any:
    """The word at an address."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], ir.IntType(64).as_pointer()))

    return types.int64(types.int64), generate


@intrinsic
def put_word(_context: Any, address: Any, word: Any) -> Any:
    """Write a word to an address."""

    def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        builder.store(args[1], builder.inttoptr(args[0], ir.IntType(64).as_pointer()))
        return context.get_dummy_value()

    return types.none(types.int64, types.int64), generate


@intrinsic
def number_at(_context: Any, address: Any) -> Any:
    """The number at an address."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], ir.DoubleType().as_pointer()))

    return types.float64(types.int64), generate


@intrinsic
def put_number(_context: Any, address: Any, number: Any) -> Any:
    """Write a number to an address."""

    def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        builder.store(args[1], builder.inttoptr(args[0], ir.DoubleType().as_pointer()))
        return context.get_dummy_value()

    return types.none(types.int64, types.float64), generate


@intrinsic
def call_entry(_context: Any, address: Any, words: Any) -> Any:
    """Call the compiled function at an address with words as its arguments; what it returns, or FAILED.

    numba's convention: where the result goes, where an exception goes, the arguments; returns 0 if all went well.
    """

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        word, code = ir.IntType(64), ir.IntType(32)
        given = cgutils.unpack_tuple(builder, args[1])
        result = cgutils.alloca_once_value(builder, ir.Constant(word, 0))
        trouble = cgutils.alloca_once_value(builder, ir.Constant(word, 0))
        kind = ir.FunctionType(code, [word.as_pointer(), word.as_pointer(), *(word for _ in given)])
        function = builder.inttoptr(args[0], kind.as_pointer())
        status = builder.call(function, [result, trouble, *given])
        is_well = builder.icmp_signed("==", status, ir.Constant(code, 0))
        return builder.select(is_well, builder.load(result), ir.Constant(word, FAILED))

    return types.int64(types.int64, words), generate


@entry
def step_many(many, chosen, first, last, done):
    """One call of the method for the rows ``chosen[first:last]``, and the measurements of those that are ``done``."""
    for c in range(first, last):
        k = chosen[c]
        for j in range(many.put.shape[1]):
            put_word(many.put_at[k, j], many.put[k, j])  # pyright: ignore[reportCallIssue]
        words = (many.model_at[k], many.work_at[k], many.samples_at[k], many.most[0])
        many.code[k] = call_entry(many.advance_at[k], words)  # pyright: ignore[reportCallIssue]
        for j in range(many.clear_at.shape[1]):
            put_word(many.clear_at[k, j], 0)
        for j in range(many.kept.shape[1]):
            many.kept[k, j] = word_at(many.kept_at[k, j])
        if many.code[k] == done and many.seen.shape[1] > 0:
            for j in range(len(many.copy_words)):
                for i in range(many.copy_words[j]):
                    put_word(many.copy_to[k, j] + WORD * i, word_at(many.copy_from[k, j] + WORD * i))
            # numba passes an array as: owner, parent, size, bytes of an entry, address, shape, strides
            n, at = many.force_count[0], many.forces_at[k]
            call_entry(many.place_at[k], (many.model_at[k], many.data_at[k], 0, 0, n, WORD, at, n, WORD))
            for j in range(many.seen.shape[1]):
                many.seen[k, j] = word_at(many.seen_at[k, j])


def address_of(entry: Any, *arguments: Any) -> int:
    """Where the compiled code of an entry for such arguments is; 0 where it has not been called with them, or never is.

    Args:
        entry: what Python calls.
        arguments: bundles, arrays or integers.
    """
    import numba

    kinds = tuple(numba.typeof(argument) for argument in arguments)
    made = getattr(entry, "overloads", {}).get(kinds)
    return made.library.get_pointer_to_function(made.fndesc.llvm_func_name) if made is not None else 0
