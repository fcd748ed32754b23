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
from numba.core.datamodel.models import PrimitiveModel
from numba.core.datamodel.registry import register_default
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

WIDTH = 8
CONTRACT = ("contract",)
DOUBLE, INDEX = ir.DoubleType(), ir.IntType(32)
VECTOR, PAIRS = ir.VectorType(DOUBLE, WIDTH), ir.VectorType(DOUBLE, 2 * WIDTH)


class Lanes(types.Type):
    """Eight real numbers."""

    def __init__(self) -> None:
        """Name the type for the compiler."""
        super().__init__(name="lanes")


class ComplexLanes(types.Type):
    """Eight complex numbers: real and imaginary parts in turns, as in memory."""

    def __init__(self) -> None:
        """Name the type for the compiler."""
        super().__init__(name="complex_lanes")


LANES, COMPLEX_LANES = Lanes(), ComplexLanes()


@register_default(Lanes)
class LanesModel(PrimitiveModel):
    """Eight real lanes in the compiler's intermediate code: a vector of eight numbers."""

    def __init__(self, dmm: Any, fe_type: types.Type) -> None:
        """Represent lanes by this vector."""
        super().__init__(dmm, fe_type, VECTOR)


@register_default(ComplexLanes)
class ComplexLanesModel(PrimitiveModel):
    """Eight complex lanes in the compiler's intermediate code: a vector of sixteen numbers."""

    def __init__(self, dmm: Any, fe_type: types.Type) -> None:
        """Represent complex lanes by this vector."""
        super().__init__(dmm, fe_type, PAIRS)


def is_complex(kind: types.Type) -> bool:
    """Whether a number or lanes are complex."""
    return isinstance(kind, (types.Complex, ComplexLanes))


def picked(builder: Any, x: Any, places: Any) -> Any:
    """The entries of a vector at some places."""
    places = list(places)
    return builder.shuffle_vector(x, x, ir.Constant(ir.VectorType(INDEX, len(places)), places))


def spread(builder: Any, number: Any, width: int = WIDTH) -> Any:
    """Put one number into all lanes."""
    kind = ir.VectorType(DOUBLE, width)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), number, ir.Constant(INDEX, 0))
    return picked(builder, one, [0] * width)


def real_lanes(context: Any, builder: Any, kind: types.Type, value: Any) -> Any:
    """Turn a real operand into lanes."""
    if isinstance(kind, Lanes):
        return value
    return spread(builder, context.cast(builder, value, kind, types.float64))


def parts(context: Any, builder: Any, kind: types.Type, value: Any) -> tuple[Any, Any]:
    """Real and imaginary parts of any operand, each twice; no imaginary part of a real one."""
    if isinstance(kind, Lanes):
        return picked(builder, value, (i // 2 for i in range(2 * WIDTH))), None
    if isinstance(kind, ComplexLanes):
        even = [i - i % 2 for i in range(2 * WIDTH)]
        return picked(builder, value, even), picked(builder, value, (i + 1 for i in even))
    if isinstance(kind, types.Complex):
        pair = cgutils.create_struct_proxy(kind)(context, builder, value)
        return spread(builder, pair.real, 2 * WIDTH), spread(builder, pair.imag, 2 * WIDTH)
    return spread(builder, context.cast(builder, value, kind, types.float64), 2 * WIDTH), None


def complex_lanes(context: Any, builder: Any, kind: types.Type, value: Any) -> Any:
    """Turn any operand into complex lanes."""
    if isinstance(kind, ComplexLanes):
        return value
    real, imag = parts(context, builder, kind, value)
    is_real = ir.Constant(ir.VectorType(ir.IntType(1), 2 * WIDTH), [i % 2 == 0 for i in range(2 * WIDTH)])
    return builder.select(is_real, real, ir.Constant(PAIRS, [0.0] * 2 * WIDTH) if imag is None else imag)


def product(builder: Any, x: Any, y: tuple[Any, Any]) -> Any:
    """Complex lanes times the parts of another: x Re(y) + i x Im(y)."""
    real, imag = y
    first = builder.fmul(x, real, flags=CONTRACT)
    if imag is None:
        return first
    turned = picked(builder, x, (i + 1 - 2 * (i % 2) for i in range(2 * WIDTH)))
    signs = ir.Constant(PAIRS, [1.0 if i % 2 else -1.0 for i in range(2 * WIDTH)])
    second = builder.fmul(turned, builder.fmul(imag, signs), flags=CONTRACT)
    return builder.fadd(first, second, flags=CONTRACT)


def complex_result(context: Any, builder: Any, name: str, kinds: Any, args: Any) -> Any:
    """Sum, difference, product or quotient where one is complex."""
    if name in ("fadd", "fsub"):
        x, y = (complex_lanes(context, builder, kind, value) for kind, value in zip(kinds, args, strict=True))
        return getattr(builder, name)(x, y, flags=CONTRACT)
    # multiplication: make the complex lanes, if any, the first factor
    if name == "fmul" and isinstance(kinds[1], ComplexLanes):
        kinds, args = kinds[::-1], args[::-1]
    x = complex_lanes(context, builder, kinds[0], args[0])
    real, imag = parts(context, builder, kinds[1], args[1])
    if name == "fmul":
        return product(builder, x, (real, imag))
    if imag is None:
        return builder.fdiv(x, real)
    size = builder.fadd(builder.fmul(real, real), builder.fmul(imag, imag))
    return builder.fdiv(product(builder, x, (real, builder.fneg(imag))), size)


def binary(name: str) -> Any:
    """Lowering of a binary operator on lanes for the compiler."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if is_complex(sig.return_type):
            return complex_result(context, builder, name, sig.args, args)
        x, y = (real_lanes(context, builder, kind, value) for kind, value in zip(sig.args, args, strict=True))
        return getattr(builder, name)(x, y, flags=CONTRACT)

    return lower


NUMBERS = (types.Float, types.Integer, types.Complex)


class OnLanes(AbstractTemplate):
    """Types of the operators: lanes with lanes or numbers, complex if one of them is."""

    def generic(self, args: Any, kws: Any) -> Any:
        """Signature of an operator; none if no operand is lanes."""
        if len(args) != 2 or not any(isinstance(arg, (Lanes, ComplexLanes)) for arg in args):
            return None
        if not all(isinstance(arg, (Lanes, ComplexLanes, *NUMBERS)) for arg in args):
            return None
        return signature(COMPLEX_LANES if any(map(is_complex, args)) else LANES, *args)


OPERATORS = {operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul", operator.truediv: "fdiv"}
OPERANDS = (Lanes, ComplexLanes, *NUMBERS)

for _operator, _name in OPERATORS.items():
    infer: Any = infer_global(_operator)
    infer(type(f"{_name}OnLanes", (OnLanes,), {"key": _operator}))
    for _first in OPERANDS:
        for _second in OPERANDS:
            if {_first, _second} & {Lanes, ComplexLanes}:
                lower_builtin(_operator, _first, _second)(binary(_name))


@infer_global(operator.neg)  # pyright: ignore[reportOptionalCall]
class Negative(AbstractTemplate):
    """Unary minus of lanes for the compiler."""

    key = operator.neg

    def generic(self, args: Any, kws: Any) -> Any:
        """Signature of the unary minus: the type of the operand."""
        return signature(args[0], *args) if isinstance(args[0], (Lanes, ComplexLanes)) else None


@lower_builtin(operator.neg, Lanes)
@lower_builtin(operator.neg, ComplexLanes)
def negative(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Lowering of the unary minus: all lanes with their sign turned."""
    return builder.fneg(args[0])


def address(context: Any, builder: Any, kind: Any, array: Any, k: Any) -> Any:
    """Address of entry k of a contiguous array, as a pointer to a vector."""
    data = make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [k]), (PAIRS if is_complex(kind.dtype) else VECTOR).as_pointer())


def checked(array: Any, k: Any) -> Any:
    """Type of the lanes of an array; None for other types of entries."""
    is_fit = isinstance(array, types.Array) and array.ndim == 1 and array.layout == "C" and isinstance(k, types.Integer)
    if is_fit and array.dtype == types.float64:
        return LANES
    return COMPLEX_LANES if is_fit and array.dtype == types.complex128 else None


@intrinsic
def eight_compiled(typingctx: Any, array: Any, k: Any) -> Any:
    """Lowering of ``eight`` for the compiler."""
    kind = checked(array, k)
    if kind is None:
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = context.cast(builder, args[1], sig.args[1], types.intp)
        return builder.load(address(context, builder, array, args[0], at), align=8)

    return kind(array, k), lower


@intrinsic
def put_compiled(typingctx: Any, array: Any, k: Any, value: Any) -> Any:
    """Lowering of ``put`` for the compiler."""
    kind = checked(array, k)
    if kind is None or not isinstance(value, OPERANDS):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = context.cast(builder, args[1], sig.args[1], types.intp)
        made = real_lanes if kind is LANES else complex_lanes
        x = made(context, builder, value, args[2])
        builder.store(x, address(context, builder, array, args[0], at), align=8)
        return context.get_dummy_value()

    return types.void(array, k, value), lower


def folded(builder: Any, x: Any, width: int) -> Any:
    """Sum of a vector, halves first, until a number of entries is left."""
    size = x.type.count
    while size > width:
        size //= 2
        x = builder.fadd(picked(builder, x, range(size)), picked(builder, x, range(size, 2 * size)))
    return [builder.extract_element(x, ir.Constant(INDEX, i)) for i in range(width)]


@intrinsic
def total_compiled(typingctx: Any, value: Any) -> Any:
    """Lowering of ``total`` for the compiler."""
    if isinstance(value, Lanes):
        return types.float64(value), lambda context, builder, sig, args: folded(builder, args[0], 1)[0]
    if not isinstance(value, ComplexLanes):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        number = cgutils.create_struct_proxy(types.complex128)(context, builder)
        number.real, number.imag = folded(builder, args[0], 2)
        return number._getvalue()

    return types.complex128(value), lower


def eight_plain(array: Any, k: int) -> Any:
    """Entries k .. k + 7 of a contiguous array."""
    return array[k : k + WIDTH].copy()


def put_plain(array: Any, k: int, value: Any) -> None:
    """Write entries k .. k + 7."""
    array[k : k + WIDTH] = value


def total_plain(value: Any) -> Any:
    """The sum of all eight."""
    return np.sum(value)


IS_PLAIN = bool(config.DISABLE_JIT)  # pyright: ignore[reportAttributeAccessIssue]
eight: Any = eight_plain if IS_PLAIN else eight_compiled
put: Any = put_plain if IS_PLAIN else put_compiled
total: Any = total_plain if IS_PLAIN else total_compiled
