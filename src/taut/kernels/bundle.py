"""Bundles: arrays that travel to compiled code together, as one pointer.

A named tuple of arrays would be handed over, and lowered by the compiler, as hundreds of numbers at every call. A
Bundle packs the address and the shape of each of its arrays, and the address of each bundle within it, into one block
of integers; compiled code gets the address of the block and reads from it what it touches. Python sees attributes.

The arrays of a bundle are C-contiguous and never exchanged, only written, so their addresses are read as invariants.
"""

import hashlib
from collections.abc import Iterator
from typing import Any, ClassVar, Self, dataclass_transform

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import make_array, populate_array

WRITEABLE = np.zeros(0).flags
# cache of numba's array types, which are slow to construct; record types are slow to hash, so their id is the key
ARRAY_KINDS: dict[tuple, types.Type] = {}
RECORDS: dict[int, np.dtype] = {}  # keeps record types alive, so that no id is used twice
MOST_RECORDS = 1000


class BundleType(types.Type):
    """The compiler's view: a class name, the types of the fields in order, and which of them are empty for good."""

    def __init__(self, title: str, fields: tuple[tuple[str, types.Type], ...], empty: frozenset[str]) -> None:
        """Take names and types of all ``fields``, and the ``empty`` ones without a row, which code may leave out."""
        self.fields = dict(fields)
        self.empty = empty
        self.slots: dict[str, int] = {}
        place = 0
        for name, kind in fields:
            self.slots[name] = place
            place += 1 + (kind.ndim if isinstance(kind, types.Array) else 0)
        super().__init__(name=f"{title}<{digest(fields, empty)}>")


def digest(fields: tuple[tuple[str, types.Type], ...], empty: frozenset[str]) -> str:
    """A short name for the types of the fields; names of compiled functions are made of it."""
    return hashlib.sha256(repr((fields, sorted(empty))).encode()).hexdigest()[:12]


@dataclass_transform(kw_only_default=True)
class Bundle:
    """Base of all bundles; a subclass lists its fields as annotations.

    Of those that it names in ``_optional``, the compiler knows whether they are empty (``jit.only_with``). Beside a key
    of ``_beside`` that has rows, the fields named there count as not empty: fewer kinds of code. Arrays of one that is
    ``_constant`` are read-only for the compiler, whatever Python may do with them: code for a table and for a changed
    copy of it is the same.
    """

    _fields: ClassVar[tuple[str, ...]] = ()
    _optional: ClassVar[tuple[str, ...]] = ()
    _beside: ClassVar[dict[str, tuple[str, ...]]] = {}
    _constant: ClassVar[bool] = False
    _kinds: ClassVar[dict[tuple, BundleType]] = {}
    _numba_type_: BundleType
    _address: int

    def __init_subclass__(cls) -> None:
        """Fields are the annotations, in order."""
        cls._fields = tuple(cls.__annotations__)

    def __init__(self, **fields: Any) -> None:
        """Take all fields by name."""
        if set(fields) != set(self._fields):
            wrong = set(fields) ^ set(self._fields)
            raise TypeError(f"{type(self).__name__}: missing or unknown: {', '.join(sorted(wrong))}")
        self.__dict__.update({name: fields[name] for name in self._fields})
        kinds = [kind_of(fields[name], is_constant=self._constant) for name in self._fields]
        empty = frozenset(name for name in self._optional if is_empty(fields[name]))
        empty -= {name for key, others in self._beside.items() if key not in empty for name in others}
        # bundle types are kept here and in ARRAY_KINDS for good, so that their ids stay unique
        key = type(self), *map(id, kinds), empty
        known = self._kinds.get(key)
        if known is None:
            pairs = tuple(zip(self._fields, kinds, strict=True))
            known = self._kinds.setdefault(key, BundleType(type(self).__name__, pairs, empty))
        block = np.array([number for name in self._fields for number in numbers(fields[name])], np.uint64)
        self.__dict__.update(_numba_type_=known, _block=block, _address=block.ctypes.data)

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse: compiled code would not see the exchange."""
        raise AttributeError(f"{type(self).__name__}.{name}: write into the array, it cannot be exchanged")

    def __getattr__(self, name: str) -> Any:
        """An array of a copy (``kernels/copies.py``), which is made when Python first asks for it."""
        layout = self.__dict__.get("_layout")
        if layout is None or name not in layout.places:
            raise AttributeError(f"{type(self).__name__} has no {name!r}")
        found = self.__dict__[name] = layout.view(self.__dict__["_memory"], name)
        return found

    def __iter__(self) -> Iterator[Any]:
        """The fields' values in order."""
        return (getattr(self, name) for name in self._fields)

    def __reduce__(self) -> tuple:
        """Pickle the arrays; addresses are valid in this process only."""
        frozen = [name for name, value in self._asdict().items() if not getattr(value, "flags", WRITEABLE).writeable]
        return restored, (type(self), self._asdict(), frozen)

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def _replace(self, **changes: Any) -> Self:
        """A bundle with some of the arrays replaced."""
        return type(self)(**(self._asdict() | changes))


def restored(kind: type[Bundle], fields: dict[str, Any], frozen: list[str]) -> Bundle:
    """A bundle from its pickle; arrays that were read-only are so again."""
    for name in frozen:
        fields[name].setflags(write=False)
    return kind(**fields)


def kind_of(value: Any, *, is_constant: bool = False) -> types.Type:
    """The compiler's type of a field."""
    if isinstance(value, Bundle):
        return value._numba_type_
    flags = value.flags
    if not flags.c_contiguous:
        raise ValueError("the arrays of a bundle must be C-contiguous")
    dtype = value.dtype
    key = id(dtype) if dtype.names else dtype.char, value.ndim, flags.writeable and not is_constant, flags.aligned
    found = ARRAY_KINDS.get(key)
    if found is None:
        found = array_kind(value, dtype, key)
    return found


def array_kind(value: Any, dtype: np.dtype, key: tuple) -> types.Type:
    """The compiler's type of an array whose dtype object was not met before."""
    equal = dtype, *key[1:]
    found = ARRAY_KINDS.get(equal)
    if found is None:
        is_writeable = key[2]
        kind: Any = numba.typeof(value)
        found = ARRAY_KINDS[equal] = kind.copy(readonly=not is_writeable)
    if dtype.names and len(RECORDS) < MOST_RECORDS:
        RECORDS[id(dtype)] = dtype
        ARRAY_KINDS[key] = found
    elif not dtype.names:
        ARRAY_KINDS[key] = found
    return found


def is_empty(value: Any) -> bool:
    """Whether a field has no row; a bundle, whether all its optional fields have none."""
    if isinstance(value, Bundle):
        return value._numba_type_.empty == frozenset(value._optional)
    return len(value) == 0


def numbers(value: Any) -> tuple[int, ...]:
    """Numbers of the block that describe one field: address and shape."""
    return (value._address,) if isinstance(value, Bundle) else (value.ctypes.data, *value.shape)


@typeof_impl.register(Bundle)
def bundle_type(value: Bundle, _context: Any) -> BundleType:
    """The compiler's type of a bundle."""
    return value._numba_type_


register_model(BundleType)(models.OpaqueModel)


@unbox(BundleType)
def unbox_bundle(_kind: BundleType, value: Any, c: Any) -> NativeValue:
    """Python's object becomes the address of its block."""
    number = c.pyapi.object_getattr_string(value, "_address")
    address = c.pyapi.long_as_voidptr(number)
    c.pyapi.decref(number)
    return NativeValue(address)


@infer_getattr
class BundleAttribute(AttributeTemplate):
    """``bundle.name`` has the type of the field."""

    key = BundleType

    def generic_resolve(self, typ: BundleType, attr: str) -> types.Type | None:
        """The type of a field, if there is one of that name."""
        return typ.fields.get(attr)


@lower_getattr_generic(BundleType)
def lower_field(context: Any, builder: Any, kind: BundleType, block: Any, name: str) -> Any:
    """``bundle.name``: read the address, and of an array the shape."""
    field: Any = kind.fields[name]
    slot = kind.slots[name]
    word = ir.IntType(64)
    words = builder.bitcast(block, word.as_pointer())
    known = builder.module.add_metadata([])

    def read(index: int) -> Any:
        number = builder.load(builder.gep(words, [ir.Constant(ir.IntType(32), index)]))
        number.set_metadata("invariant.load", known)
        return number

    if isinstance(field, BundleType):
        return builder.inttoptr(read(slot), context.get_value_type(field))
    array = make_array(field)(context, builder)
    shape = [read(slot + 1 + k) for k in range(field.ndim)]
    size = context.get_abi_sizeof(context.get_data_type(field.dtype))
    strides = [ir.Constant(word, size)]
    for extent in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], extent))
    populate_array(
        array,
        data=builder.inttoptr(read(slot), array.data.type),
        shape=shape,
        strides=strides,
        itemsize=ir.Constant(word, size),
        meminfo=None,
    )
    return array._getvalue()
