"""Eight numbers side by side: arithmetic on stretches of arrays whose lengths are multiples of eight.

``eight(a, k)`` reads a[k] .. a[k + 7], ``put(a, k, x)`` writes them; between the two stand the usual operators, with
numbers too, and ``total(x)`` adds up the eight. The compiler makes wide instructions of this, whatever their width on
the machine at hand. Loops over short arrays would do the same only with checks whether the arrays overlap and with
loops for what is left over, which take longer than the work itself.

Numbers may be complex, so that derivatives can be taken by complex steps. Without a compiler they are NumPy arrays.
"""

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, config, types
from numba.core.datamodel import register_default
from numba.core.datamodel.models import PrimitiveModel, StructModel
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

WIDTH = 8
CONTRACT = ("contract",)
ANY_ORDER = ("contract", "reassoc")
DOUBLE = ir.DoubleType()
VECTOR = ir.VectorType(DOUBLE, WIDTH)


class Lanes(types.Type):
    """Eight real numbers."""

    def __init__(self) -> None:
        """One type for all."""
        super().__init__(name="lanes")


class ComplexLanes(types.Type):
    """Eight complex numbers: real and imaginary parts."""

    def __init__(self) -> None:
        """One type for all."""
        super().__init__(name="complex_lanes")


LANES, COMPLEX_LANES = Lanes(), ComplexLanes()


@register_default(Lanes)
class LanesModel(PrimitiveModel):
    """A vector of the compiler's."""

    def __init__(self, dmm: Any, fe_type: types.Type) -> None:
        """Its type in intermediate code."""
        super().__init__(dmm, fe_type, VECTOR)


@register_default(ComplexLanes)
class ComplexLanesModel(StructModel):
    """Two vectors."""

    def __init__(self, dmm: Any, fe_type: types.Type) -> None:
        """Their names."""
        super().__init__(dmm, fe_type, [("real", LANES), ("imag", LANES)])


def is_complex(kind: types.Type) -> bool:
    """Whether a number or lanes are complex."""
    return isinstance(kind, (types.Complex, ComplexLanes))


def spread(builder: Any, number: Any) -> Any:
    """One number in all lanes."""
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(
        one, ir.Constant(VECTOR, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    )


def real_lanes(context: Any, builder: Any, kind: types.Type, value: Any) -> Any:
    """A real operand as lanes."""
    if isinstance(kind, Lanes):
        return value
    return spread(builder, context.cast(builder, value, kind, types.float64))


def parts(context: Any, builder: Any, kind: types.Type, value: Any) -> tuple[Any, Any]:
    """Real and imaginary part of any operand as lanes."""
    if isinstance(kind, (ComplexLanes, types.Complex)):
        pair = cgutils.create_struct_proxy(kind)(context, builder, value)
        if isinstance(kind, ComplexLanes):
            return pair.real, pair.imag
        return spread(builder, pair.real), spread(builder, pair.imag)
    return real_lanes(context, builder, kind, value), ir.Constant(VECTOR, [0.0] * WIDTH)


def joined(context: Any, builder: Any, real: Any, imag: Any) -> Any:
    """Complex lanes of two parts."""
    pair = cgutils.create_struct_proxy(COMPLEX_LANES)(context, builder)
    pair.real, pair.imag = real, imag
    return pair._getvalue()


def complex_result(builder: Any, name: str, x: tuple[Any, Any], y: tuple[Any, Any]) -> tuple[Any, Any]:
    """Sum, difference, product or quotient of complex lanes."""
    (a, b), (c, d) = x, y
    if name in ("fadd", "fsub"):
        make = getattr(builder, name)
        return make(a, c), make(b, d)
    if name == "fmul":
        return (builder.fsub(builder.fmul(a, c), builder.fmul(b, d)),
                builder.fadd(builder.fmul(a, d), builder.fmul(b, c)))  # fmt: skip
    size = builder.fadd(builder.fmul(c, c), builder.fmul(d, d))
    real, imag = complex_result(builder, "fmul", x, (c, builder.fneg(d)))
    return builder.fdiv(real, size), builder.fdiv(imag, size)


def binary(name: str) -> Any:
    """How the compiler does an operator."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kinds = sig.args
        if not is_complex(sig.return_type):
            x, y = (real_lanes(context, builder, kind, value) for kind, value in zip(kinds, args, strict=True))
            return getattr(builder, name)(x, y, flags=CONTRACT)
        x, y = (parts(context, builder, kind, value) for kind, value in zip(kinds, args, strict=True))
        return joined(context, builder, *complex_result(builder, name, x, y))

    return lower


NUMBERS = (types.Float, types.Integer, types.Complex)


class OnLanes(AbstractTemplate):
    """Types of the operators: lanes with lanes or numbers, complex if one of them is."""

    def generic(self, args: Any, kws: Any) -> Any:
        """The signature; none without lanes."""
        if len(args) != 2 or not any(isinstance(arg, (Lanes, ComplexLanes)) for arg in args):
            return None
        if not all(isinstance(arg, (Lanes, ComplexLanes, *NUMBERS)) for arg in args):
            return None
        return signature(COMPLEX_LANES if any(map(is_complex, args)) else LANES, *args)


OPERATORS = {
    operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul", operator.truediv: "fdiv",
    operator.iadd: "fadd", operator.isub: "fsub", operator.imul: "fmul", operator.itruediv: "fdiv",
}  # fmt: skip
OPERANDS = (Lanes, ComplexLanes, *NUMBERS)

for _operator, _name in OPERATORS.items():
    infer_global(_operator)(type(f"{_name}OnLanes", (OnLanes,), {"key": _operator}))
    for _first in OPERANDS:
        for _second in OPERANDS:
            if {_first, _second} & {Lanes, ComplexLanes}:
                lower_builtin(_operator, _first, _second)(binary(_name))


@infer_global(operator.neg)
class Negative(AbstractTemplate):
    """The sign turned."""

    key = operator.neg

    def generic(self, args: Any, kws: Any) -> Any:
        """Of the same kind."""
        return signature(args[0], *args) if isinstance(args[0], (Lanes, ComplexLanes)) else None


@lower_builtin(operator.neg, Lanes)
def negative(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """The sign of real lanes."""
    return builder.fneg(args[0])


@lower_builtin(operator.neg, ComplexLanes)
def negative_complex(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """The sign of complex lanes."""
    a, b = parts(context, builder, COMPLEX_LANES, args[0])
    return joined(context, builder, builder.fneg(a), builder.fneg(b))


def address(context: Any, builder: Any, kind: Any, array: Any, k: Any) -> Any:
    """Of entry k of a contiguous array, as one of a vector."""
    data = make_array(kind)(context, builder, array).data
    size = 2 * WIDTH if is_complex(kind.dtype) else WIDTH
    return builder.bitcast(builder.gep(data, [k]), ir.VectorType(DOUBLE, size).as_pointer())


def every_second(first: int) -> Any:
    """Which of sixteen numbers are real (0) or imaginary (1) parts."""
    return ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), list(range(first, 2 * WIDTH, 2)))


def checked(array: Any, k: Any) -> Any:
    """The lanes of an array; none if it has no such."""
    is_fit = isinstance(array, types.Array) and array.ndim == 1 and array.layout == "C" and isinstance(k, types.Integer)
    if is_fit and array.dtype == types.float64:
        return LANES
    return COMPLEX_LANES if is_fit and array.dtype == types.complex128 else None


@intrinsic
def eight_compiled(typingctx: Any, array: Any, k: Any) -> Any:
    """``eight`` for the compiler."""
    kind = checked(array, k)
    if kind is None:
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = context.cast(builder, args[1], sig.args[1], types.intp)
        found = builder.load(address(context, builder, array, args[0], at), align=8)
        if kind is LANES:
            return found
        nothing = ir.Constant(found.type, ir.Undefined)
        return joined(context, builder, *(builder.shuffle_vector(found, nothing, every_second(i)) for i in (0, 1)))

    return kind(array, k), lower


@intrinsic
def put_compiled(typingctx: Any, array: Any, k: Any, value: Any) -> Any:
    """``put`` for the compiler."""
    kind = checked(array, k)
    if kind is None or not isinstance(value, OPERANDS):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = context.cast(builder, args[1], sig.args[1], types.intp)
        if kind is LANES:
            x = real_lanes(context, builder, value, args[2])
        else:
            a, b = parts(context, builder, value, args[2])
            pairs = [i // 2 + WIDTH * (i % 2) for i in range(2 * WIDTH)]
            x = builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(ir.IntType(32), 2 * WIDTH), pairs))
        builder.store(x, address(context, builder, array, args[0], at), align=8)
        return context.get_dummy_value()

    return types.void(array, k, value), lower


def folded(builder: Any, x: Any) -> Any:
    """Sum of a vector, halves first."""
    width = WIDTH
    while width > 1:
        width //= 2
        kind = ir.VectorType(ir.IntType(32), width)
        low, high = (builder.shuffle_vector(x, x, ir.Constant(kind, list(range(b, b + width)))) for b in (0, width))
        x = builder.fadd(low, high)
    return builder.extract_element(x, ir.Constant(ir.IntType(32), 0))


@intrinsic
def total_compiled(typingctx: Any, value: Any) -> Any:
    """``total`` for the compiler."""
    if isinstance(value, Lanes):
        return types.float64(value), lambda context, builder, sig, args: folded(builder, args[0])
    if not isinstance(value, ComplexLanes):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        number = cgutils.create_struct_proxy(types.complex128)(context, builder)
        number.real, number.imag = (folded(builder, x) for x in parts(context, builder, COMPLEX_LANES, args[0]))
        return number._getvalue()

    return types.complex128(value), lower


def eight(array: Any, k: int) -> Any:
    """Entries k .. k + 7 of a contiguous array."""
    return array[k : k + WIDTH].copy()


def put(array: Any, k: int, value: Any) -> None:
    """Write entries k .. k + 7."""
    array[k : k + WIDTH] = value


def total(value: Any) -> Any:
    """The sum of all eight."""
    return np.sum(value)


if not config.DISABLE_JIT:  # pyright: ignore[reportAttributeAccessIssue]
    eight, put, total = eight_compiled, put_compiled, total_compiled
