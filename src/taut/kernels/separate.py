"""Compile each function once: functions that only compiled code calls get no machine code of their own.

numba optimises every function together with all it calls, makes machine code of it, and does so again for each of its
callers. With many layers of small functions that is most of the time of the first run. Here a function that compiled
code calls stays plain intermediate code; only an ``entry``, which Python calls, is optimised and made executable, with
all the functions below it collected into one module.
"""

import contextlib
import gc
import operator
from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba import _dynfunc  # pyright: ignore[reportAttributeAccessIssue]
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.imputils import lower_builtin
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering
from numba.core.types.functions import BaseFunction
from numba.core.typing.templates import signature
from numba.np import arrayobj


class InnerLibrary(JITCodeLibrary):
    """Intermediate code of one function, to be collected by an entry."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Do nothing: inner functions are linked, optimised and made executable in entries."""
        self._finalized = True


class EntryLibrary(JITCodeLibrary):
    """Machine code of an entry and everything below it."""

    def add_linking_library(self, library: Any) -> None:
        """Add a function, and those it calls."""
        if library in self._linking_libraries:
            return
        super().add_linking_library(library)
        if isinstance(library, InnerLibrary):
            for callee in library._linking_libraries:
                self.add_linking_library(callee)

    def _optimize_final_module(self) -> None:
        # skip numba's cheap first pass, which only prunes reference counting: there is none here
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):
    """Lower a function without making it executable."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower, and make the function known to the lowering of its callers."""
        state.library = InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        # callers look the function up by this object; it is never called
        handle = _dynfunc.make_function(
            lowered.fndesc.lookup_module(), state.func_id.func_name, "", 0, lowered.env, (state.library,)
        )
        state.targetctx.insert_user_function(handle, lowered.fndesc, [state.library])
        state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, cfunc=handle, env=lowered.env)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(NativeLowering):
    """Lower a function and make it executable, with all it calls."""

    _name = "entry_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower the function into a library that collects."""
        state.library = EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)


def remembered(self: Any, context: Any, args: tuple[Any, ...], kws: Any) -> Any:
    """The signature of a built-in function, such as a product, for arguments of these types.

    numba tries all that is known of an operator anew at each of its places, of which there are thousands.
    """
    if kws:
        return FIND_SIGNATURE(self, context, args, kws)
    if self.typing_key is operator.mul and args in MIXED:
        self._impl_keys[args] = operator.mul
        return signature(types.complex128, *args)
    key = id(self), id(context), args
    if key not in KNOWN:
        KNOWN[key] = FIND_SIGNATURE(self, context, args, kws), self, context
    return KNOWN[key][0]


def real_times_complex(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """A real number times a complex one: two products.

    numba makes a complex number of the real one, and the compiler must keep the two products with its zero.
    """
    is_first = isinstance(sig.args[0], types.Complex)
    number = context.make_complex(builder, types.complex128, args[0] if is_first else args[1])
    factor = args[1] if is_first else args[0]
    number.real = builder.fmul(number.real, factor, flags=("contract",))
    number.imag = builder.fmul(number.imag, factor, flags=("contract",))
    return number._getvalue()


FIND_SIGNATURE = BaseFunction.get_call_type
MIXED = ((types.float64, types.complex128), (types.complex128, types.float64))
for _pair in MIXED:
    lower_builtin(operator.mul, *_pair)(real_times_complex)
# compiled functions by identity, with the objects that keep these identities alive
KNOWN: dict[tuple[int, int, tuple[Any, ...]], tuple[Any, Any, Any]] = {}


@contextlib.contextmanager
def signatures_remembered() -> Iterator[None]:
    """Look signatures of built-in functions up once."""
    before = BaseFunction.get_call_type
    BaseFunction.get_call_type = remembered
    try:
        yield
    finally:
        BaseFunction.get_call_type = before


def plain_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index as it is: kernels count from the front.

    numba lets negative indices count from the end, which takes a comparison and a sum at every access.
    """
    if isinstance(index, ir.Constant) and index.constant < 0:
        return FIX_INDEX(context, builder, kind, index, size)
    return context.cast(builder, index, kind, types.intp)


FIX_INDEX = arrayobj.fix_integer_index


@contextlib.contextmanager
def indices_from_the_front() -> Iterator[None]:
    """Compile accesses to arrays without a check for negative indices."""
    before = arrayobj.fix_integer_index
    arrayobj.fix_integer_index = plain_index
    try:
        yield
    finally:
        arrayobj.fix_integer_index = before


@contextlib.contextmanager
def no_collection() -> Iterator[None]:
    """Suspend cyclic garbage collection: with the compiler's many small objects it takes a tenth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def pipeline_with(lowering: type) -> type[CompilerBase]:
    """numba's pipeline with another lowering."""

    class Pipeline(CompilerBase):
        def compile_extra(self, func: Any) -> Any:
            with no_collection(), signatures_remembered(), indices_from_the_front():
                return super().compile_extra(func)

        def define_pipelines(self) -> list[PassManager]:
            manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
            passes = [(lowering, text) if kind is NativeLowering else (kind, text) for kind, text in manager.passes]
            manager.passes, manager._finalized = passes, False
            manager.finalize()
            return [manager]

    return Pipeline


EntryPipeline = pipeline_with(EntryLowering)
InnerPipeline = pipeline_with(InnerLowering)


class InnerDispatcher(CPUDispatcher):
    """A function for compiled code; Python gets an entry made of it when it calls."""

    _entry: Any = None
    tables: tuple[str, ...] = ()  # tables of which one must have rows (``jit.only_with``)
    otherwise: Any = None

    def is_needed(self, arguments: Any) -> bool:
        """Whether the first argument, a bundle's type, has rows in a table that this is for."""
        return not self.tables or not arguments[0].empty.issuperset(self.tables)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """How to call the function with these types; asked by the compiler."""
        if self.is_needed(args):
            return super().get_call_template(args, kws)
        return self.otherwise.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """The code for these types; asked by the compiler."""
        return super().get_overload(sig) if self.is_needed(sig) else self.otherwise.get_overload(sig)

    def __call__(self, *arguments: Any) -> Any:
        """Make an entry of the inner function, and call it from Python."""
        if self._entry is None:
            from taut.kernels.jit import entry

            self._entry = entry(self.py_func)
        return self._entry(*arguments)
