"""Compiled kernels on disk.

numba judges whether compiled code is fresh by the modification time of the file that the entry stands in, and knows
nothing of the kernels inlined into it. Here the entries of a module are kept in a folder whose name carries a digest of
the content of every source they are made of: the module itself, and all of taut that it imports, directly or through
others. Other sources, other folder; where the folder lies (NUMBA_CACHE_DIR) does not matter. Code that came with the
package (``shipped.py``) is used where there is none of this computer's own.
"""

import contextlib
import hashlib
import os
import re
import shutil
import stat
import tempfile
import uuid
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Self

from platformdirs import user_cache_path

from taut.kernels.beside import await_beside
from taut.kernels.shipped import FOLDER, load_shipped, python_version, shipped_index

PACKAGE = Path(__file__).resolve().parent.parent
COMPILED_ROOMS = ("kernels", "model", "dynamics", "integrate")
IMPORT = re.compile(r"^[ \t]*(?:from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+([\w., ]+))", re.MULTILINE)
WORD = re.compile(r"\w+")
KERNELS = re.compile(rb"^@(?:entry|kernel|part|block|summing)\b", re.MULTILINE)
# modules about how code is compiled and kept: a change of them does not change the kernels
NO_KERNELS = {Path(__file__).resolve().with_name(name) for name in ("cache.py", "beside.py", "shipped.py")}
LENGTH = 16  # hexadecimal digits of a digest


@cache
def module_digest(file: Path) -> str:
    """A digest of the content of a source file and of all the package's files that it imports."""
    digest = hashlib.sha256()
    for source in sorted(imported_files(file) - NO_KERNELS):
        digest.update(f"{source.name}\0".encode())
        digest.update(content(source))
    return digest.hexdigest()[:LENGTH]


def imported_files(file: Path) -> set[Path]:
    """The file and all files of the package that it imports, directly or through others."""
    found: set[Path] = set()
    waiting = [file.resolve()]
    while waiting:
        source = waiting.pop()
        if source not in found:
            found.add(source)
            waiting.extend(followed(source))
    return found


@cache
def followed(file: Path) -> tuple[Path, ...]:
    """The files that a source file imports, if they count; many entries are made of the same files."""
    is_engine = not file.is_relative_to(PACKAGE) or file.relative_to(PACKAGE).parts[0] in COMPILED_ROOMS
    # files outside the engine contribute constants only, unless they have kernels of their own
    return imports(file) if is_engine or KERNELS.search(content(file)) else ()


@cache
def content(file: Path) -> bytes:
    """The bytes of a source file."""
    return file.read_bytes()


@cache
def imports(file: Path) -> tuple[Path, ...]:
    """Files of the package that a source file imports, also inside of functions."""
    here = ("taut", *file.relative_to(PACKAGE).parts[:-1]) if file.is_relative_to(PACKAGE) else ()
    found = []
    for match in IMPORT.finditer(content(file).decode()):
        if match[3]:
            names = [part.strip().split(" ")[0] for part in match[3].split(",")]
            found += [path for name in names for path in package_files(name, here)]
        else:
            found += package_files(match[1], here)
            found += [path for word in WORD.findall(match[2]) for path in package_files(f"{match[1]}.{word}", here)]
    return tuple(dict.fromkeys(found))


@cache
def package_files(name: str, here: tuple[str, ...]) -> tuple[Path, ...]:
    """The file of a module of taut by its name, with those of the packages around it; none for any other name."""
    dots = len(name) - len(name.lstrip("."))
    parts = [*(here[: len(here) - dots + 1] if dots else ()), *filter(None, name.split("."))]
    # skip the package's own __init__, which imports everything, and only on demand
    names = [".".join(parts[:k]) for k in range(2, len(parts) + 1)]
    return tuple(source_files()[name] for name in names if name in source_files())


@cache
def source_files() -> dict[str, Path]:
    """All source files of the package by the names of their modules; asking the system for each takes longer."""
    found = {}
    for folder, _, names in os.walk(PACKAGE):
        here = ["taut", *Path(folder).relative_to(PACKAGE).parts]
        modules = {name[:-3]: Path(folder, name) for name in names if name.endswith(".py")}
        found |= {".".join([*here, *([] if stem == "__init__" else [stem])]): file for stem, file in modules.items()}
    return found


def cache_root() -> Path:
    """Where compiled code is kept: NUMBA_CACHE_DIR, inside a checkout, else in the user's folder for caches."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen) / "taut"
    inside = PACKAGE / "__pycache__"
    if "site-packages" not in PACKAGE.parts and can_write(inside):
        return inside / "compiled"
    import numba

    # shared by all environments of the user: folder names hold the digest of the sources, numba's keys the processor
    kept = Path(user_cache_path("taut")) / f"numba-{numba.__version__}-python-{python_version()}"
    return kept if can_write(kept) else own_temporary_folder()


def can_write(folder: Path) -> bool:
    """Whether there is such a folder, or can be."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return os.access(folder, os.W_OK)


@cache
def own_temporary_folder() -> Path:
    """A temporary folder as the last resort. Code from there is run, so it must be nobody else's."""
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"taut-compiled-{owner}"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
    try:
        found = folder.lstat()
    except OSError:
        return Path(tempfile.mkdtemp(prefix="taut-compiled-"))
    is_mine = owner in ("user", found.st_uid) and stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o022
    return folder if is_mine else Path(tempfile.mkdtemp(prefix="taut-compiled-"))


class Locator:
    """Says to numba where the compiled code of a function is, and whether it is fresh."""

    def __init__(self, function: Any, file: str) -> None:
        """Find the folder for the present content of the sources."""
        self._py_file = file  # name that numba shows in its warnings
        self.line, self.digest = function.__code__.co_firstlineno, module_digest(Path(file))
        self.stem = re.sub(r"\W", "_", function.__module__ or Path(file).stem)
        self.folder = cache_root() / f"{self.stem}-{self.digest}"

    @classmethod
    def from_function(cls, function: Any, file: str) -> Self | None:
        """Make a locator, as numba asks for it; none for a function without a file."""
        return cls(function, file) if Path(file).is_file() else None

    def ensure_cache_path(self) -> None:
        """Make the folder; inside the package, remove those of older sources."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.folder.is_relative_to(PACKAGE):
            for old in self.folder.parent.glob(f"{self.stem}-{'?' * LENGTH}"):
                if old != self.folder:
                    shutil.rmtree(old, ignore_errors=True)

    def get_cache_path(self) -> str:
        """The folder of compiled code."""
        return str(self.folder)

    def get_source_stamp(self) -> str:
        """Stamp by which numba tells whether code is fresh: the digest of its sources."""
        return self.digest

    def get_disambiguator(self) -> str:
        """Line of a function, which distinguishes functions of one name in a file."""
        return str(self.line)


def keep_on_disk(dispatcher: Any) -> Any:
    """Let a dispatcher keep its code in the folder of ``Locator``; functions without a file use numba's own cache."""
    from numba.core.caching import CompileResultCacheImpl, FunctionCache

    class Implementation(CompileResultCacheImpl):
        _locator_classes = [Locator, *CompileResultCacheImpl._locator_classes]

        def rebuild(self, target_context: Any, payload: Any) -> Any:
            return rebuilt(super().rebuild, target_context, payload)

    class Cache(FunctionCache):
        _impl_class = Implementation
        waits = True  # whether to wait for other processes that compile the same code (``compile_once``)
        shipped: Any  # reader of the compiled code that came with the package

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            # numba would first get ready to compile, which takes longer than to load; its compiler does so itself
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)

        def _load_overload(self, sig: Any, target_context: Any) -> Any:
            found = super()._load_overload(sig, target_context)
            if found is None and self._enabled:
                data = load_shipped(self.shipped, self._index_key(sig, target_context.codegen()))
                found = None if data is None else self._impl.rebuild(target_context, data)
            return found

    made = Cache(dispatcher.py_func)
    stamp, base = made._impl.locator.get_source_stamp(), made._impl.filename_base
    made._cache_file = files_kind()(cache_path=made._cache_path, filename_base=base, source_stamp=stamp)
    made.shipped = files_kind()(str(FOLDER / Path(made._cache_path).name), filename_base=base, source_stamp=stamp)
    dispatcher._cache = made
    dispatcher.compile = compile_once(dispatcher)
    return dispatcher


def rebuilt(rebuild: Callable[[Any, Any], Any], target_context: Any, payload: Any) -> Any:
    """Machine code from the disk made callable, without reading the intermediate code that numba keeps beside it.

    That code is for linking an entry into other compiled code, and reading it takes longer than all the rest. numba
    asks it which symbols there are; Python calls these two alone. To link such an entry is refused by numba.
    """
    (name, kind, (machine_code, _)), described, *rest = payload
    symbols = (described.llvm_func_name, described.llvm_cpython_wrapper_name)
    found = rebuild(target_context, ((name, kind, (machine_code, definitions(symbols))), described, *rest))
    found.library._shared_module = None
    return found


def definitions(symbols: tuple[str, ...]) -> bytes:
    """Intermediate code of functions that do nothing, by their names."""
    import llvmlite.binding as llvm

    return llvm.parse_assembly("\n".join(f'define void @"{name}"() {{ ret void }}' for name in symbols)).as_bitcode()


def compile_once(dispatcher: Any) -> Callable[[Any], Any]:
    """The dispatcher's ``compile``, by one process at a time: those that come later find the code on the disk.

    Two processes that compile the same may get code that rounds otherwise, since the compiler's order of things is not
    the same in both; runs by the one would not be those by the other bit for bit.
    """
    compile_it = dispatcher.compile

    def compile_alone(signature: Any) -> Any:
        await_beside(dispatcher.py_func, signature)
        with alone(Path(dispatcher._cache.cache_path), signature):
            return compile_it(signature)

    return compile_alone


@contextlib.contextmanager
def alone(folder: Path, signature: Any) -> Iterator[None]:
    """Context in which no other process compiles for these types, where the system has locks.

    In place of types it takes a name, for any other task that one process may do at a time in the folder.
    """
    name = hashlib.sha256(repr(signature).encode()).hexdigest()[:LENGTH]
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            folder.mkdir(parents=True, exist_ok=True)
            file = stack.enter_context(open(folder / f"{name}.lock", "ab"))
            fcntl.flock(file, fcntl.LOCK_EX)  # the lock is freed when the file is closed
        yield


@cache
def files_kind() -> Any:
    """Files of compiled code with names of their own.

    numba numbers them: of two processes that compile for different arguments at once, both may take the same number,
    and the code of one is read as that of the other. Here a file is written before the index names it, and one index
    after the other.
    """
    from numba.core.caching import IndexDataCacheFile

    class Files(IndexDataCacheFile):
        def save(self, key: Any, data: Any) -> None:
            name = f"{self._data_name_pattern.partition('{')[0]}{uuid.uuid4().hex[:LENGTH]}.nbc"
            self._save_data(name, data)
            with alone(Path(self._cache_path), self._index_name):
                self._save_index({**self._load_index(), key: name})

    return Files


@contextlib.contextmanager
def plain_cache(file: str) -> Iterator[None]:
    """Context in which numba's own setting names a folder for the present sources."""
    from numba.core import config

    before = config.CACHE_DIR  # pyright: ignore[reportAttributeAccessIssue]
    config.CACHE_DIR = str(cache_root() / f"plain-{module_digest(Path(file))}")  # pyright: ignore[reportAttributeAccessIssue]
    try:
        yield
    finally:
        config.CACHE_DIR = before  # pyright: ignore[reportAttributeAccessIssue]


def is_compiled(entry: Any, tables: Any) -> bool:
    """Whether the entry's code for a model with such tables lies on the disk; plain Python needs none."""
    cached = getattr(entry, "_cache", None)
    if cached is None or not hasattr(cached, "_cache_file"):
        return True
    target = entry.targetctx.codegen().magic_tuple()
    # the index is empty if the source has changed, and may list code for other computers
    known = [signature for signature, made_for, _ in cached._cache_file._load_index() if made_for == target]
    known += [signature for signature, *_ in shipped_index(cached.shipped)] if hasattr(cached, "shipped") else []
    return any(signature[0] == tables._numba_type_ for signature in known)
