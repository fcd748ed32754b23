"""Make a wheel with compiled code inside, so that its first run waits for no compiler: python packaging/make_wheel.py

1. A plain wheel is built of the checkout.
2. `taut compile --all` compiles the engine of the checkout for the processors named by PROCESSOR.
3. The code, without what only further compiling would need, is put into the wheel, which is named for the version of
   Python and the system, and asks for exactly the version of numba that the code was made by.

Code for other processors, versions or machines is compiled when it is first needed, as without such a wheel.
"""

import argparse
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core.serialize import dumps

from taut.kernels.shipped import ABOUT, Target, describe

ROOT = Path(__file__).resolve().parent.parent
PROCESSOR, FEATURES = "x86-64-v3", ""  # features beyond those of the processor


def main() -> None:
    """Make the wheel and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "dist", help="folder of the wheel")
    parser.add_argument("--code", type=Path, default=ROOT / "build" / "code", help="where code is compiled")
    given = parser.parse_args()
    work = ROOT / "build" / "wheel"
    shutil.rmtree(work, ignore_errors=True)
    plain = build_plain(work)
    compile_for(PROCESSOR, given.code)
    unpacked = unpack(plain, work)
    count = add_code(given.code / "taut", unpacked / "taut" / "_compiled")
    rewrite(unpacked, "WHEEL", bound_tags)
    rewrite(unpacked, "METADATA", bound_numba)
    given.output.mkdir(parents=True, exist_ok=True)
    run(sys.executable, "-m", "wheel", "pack", unpacked, "--dest-dir", given.output)
    print(f"{count} pieces of compiled code for {PROCESSOR}")


def run(*command: Any, **environment: str) -> None:
    """Run a program, and stop if it fails."""
    subprocess.run([str(part) for part in command], check=True, cwd=ROOT, env={**os.environ, **environment})


def build_plain(work: Path) -> Path:
    """A wheel of the sources alone."""
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", work, ROOT)
    return next(work.glob("*.whl"))


def compile_for(processor: str, code: Path) -> None:
    """Compile everything for a model of processors; what is there already is kept."""
    taut = Path(sys.executable).with_name("taut")
    run(taut, "compile", "--all", NUMBA_CPU_NAME=processor, NUMBA_CPU_FEATURES=FEATURES, NUMBA_CACHE_DIR=str(code))


def unpack(wheel: Path, work: Path) -> Path:
    """The wheel as a folder."""
    run(sys.executable, "-m", "wheel", "unpack", wheel, "--dest", work)
    return next(folder for folder in work.iterdir() if folder.is_dir())


def add_code(compiled: Path, target: Path) -> int:
    """Copy compiled code that is of the present sources and for the chosen processor; how many pieces."""
    made_for: Target = (llvm.get_process_triple(), PROCESSOR, FEATURES)
    count = 0
    for index in present(compiled):
        with index.open("rb") as file:
            version, (stamp, known) = pickle.load(file), pickle.load(file)
        names = {key: name for key, name in known.items() if version == numba.__version__ and key[1] == made_for}
        if names:
            folder = target / index.parent.name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / index.name).write_bytes(pickle.dumps(version, protocol=-1) + dumps((stamp, names)))
            for name in names.values():
                (folder / name).write_bytes(lighter((index.parent / name).read_bytes()))
            count += len(names)
    (target / ABOUT).write_text(json.dumps(describe(made_for)))
    return count


def present(compiled: Path) -> Iterator[Path]:
    """Indices of code of the sources as they are, in folders that are named by a module and a digest of its content."""
    from taut.kernels.cache import PACKAGE, module_digest

    for index in sorted(compiled.glob("*/*.nbi")):
        stem, digest = index.parent.name.rsplit("-", 1)
        source = find_source(PACKAGE, stem)
        if source is not None and module_digest(source) == digest:
            yield index


def find_source(package: Path, stem: str) -> Path | None:
    """The source file of a module by its name with underscores in place of dots, `taut_dynamics_residual`."""
    for file in package.rglob("*.py"):
        parts = ["taut", *file.relative_to(package).with_suffix("").parts]
        if re.sub(r"\W", "_", ".".join(parts)) == stem:
            return file
    return None


def lighter(data: bytes) -> bytes:
    """A piece of code as numba keeps it, without intermediate code, which serves only to inline it elsewhere."""
    library, *rest = pickle.loads(data)
    name, kind, (machine_code, intermediate) = library
    return dumps(((name, kind, (machine_code, names_alone(intermediate))), *rest))


def names_alone(intermediate: bytes) -> bytes:
    """Intermediate code that defines the same names, by which numba finds the machine code, and does nothing."""
    full = llvm.parse_bitcode(intermediate)
    lines = [f'target triple = "{llvm.get_process_triple()}"']
    lines += [f'define void @"{found.name}"() {{ ret void }}' for found in full.functions if not found.is_declaration]
    lines += [f'@"{found.name}" = global i8 0' for found in full.global_variables if not found.is_declaration]
    return llvm.parse_assembly("\n".join(lines)).as_bitcode()


def rewrite(unpacked: Path, name: str, change: Any) -> None:
    """Change a text of the wheel's metadata."""
    file = next(unpacked.glob(f"*.dist-info/{name}"))
    file.write_text(change(file.read_text()))


def bound_tags(text: str) -> str:
    """The wheel is for this version of Python and the systems that numba's own wheel is for."""
    about = next(Path(numba.__file__).parent.parent.glob(f"numba-{numba.__version__}.dist-info")) / "WHEEL"
    systems = re.findall(r"^Tag: .*-(\w+)$", about.read_text(), re.MULTILINE)
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    lines = [line for line in text.splitlines() if not line.startswith(("Tag:", "Root-Is-Purelib:"))]
    tags = [f"Tag: {version}-{version}-{system}" for system in systems]
    return "\n".join([*filter(None, lines), "Root-Is-Purelib: false", *tags, ""])


def bound_numba(text: str) -> str:
    """The wheel needs the version of numba that made its code."""
    changed, count = re.subn(r"^Requires-Dist: numba[^;\n]*$", f"Requires-Dist: numba=={numba.__version__}", text,
                             flags=re.MULTILINE)  # fmt: skip
    if count != 1:
        raise SystemExit("the metadata of the wheel do not name numba once")
    return changed


if __name__ == "__main__":
    main()
