"""What `taut doctor` looks at, in the order of its lines."""

from collections.abc import Callable, Iterator

from .compiled import look_at_compiler, look_at_engine, look_at_folder, look_at_settings
from .computer import look_at_browser, look_at_computer
from .finding import Finding
from .packages import look_at_extras, look_at_packages, look_at_taut

__all__ = ["Finding", "examine"]

LOOKS: dict[str, Callable[[], Iterator[Finding]]] = {
    "taut": look_at_taut,
    "packages": look_at_packages,
    "computer": look_at_computer,
    "settings": look_at_settings,
    "compiler": look_at_compiler,
    "compiled code": look_at_folder,
    "engine": look_at_engine,
    "browser": look_at_browser,
    "extras": look_at_extras,
}


def examine() -> Iterator[Finding]:
    """Look at everything; an error while looking is a finding too, and does not stop the rest."""
    for name, look in LOOKS.items():
        try:
            yield from look()
        except Exception as error:
            yield Finding(name, "FAIL", f"{type(error).__name__}: {error}".splitlines()[0],
                          "python -m pip install --force-reinstall taut")  # fmt: skip
