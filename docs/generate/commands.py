"""The page docs/reference/commands.md, made from the command line itself.

Usage: python docs/generate/commands.py > docs/reference/commands.md
"""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from typer.models import ArgumentInfo, OptionInfo

from taut.cli import app

INTRODUCTION = """# Commands

Every command with its arguments and options, made from the command line itself (`taut COMMAND --help`) by
`python docs/generate/commands.py > docs/reference/commands.md`.

`FILE` is a path, a name of the library (`taut list`), a result (its scenario is meant), or `STUDY.zarr#RUN`,
a run of a study. Exit codes are 0 for success, 1 if a run or its audit failed, 2 for bad input. With `--json` a command
prints one JSON object and nothing else on its output. In a notebook `%load_ext taut.cli.notebook` makes them magics,
as `%taut check FILE`.
"""
GROUPS = {
    "Begin": ("list", "init", "check", "schema", "doctor", "compile"),
    "Run": ("run", "verify", "bench"),
    "Look": ("plot", "view", "report", "animate", "export"),
    "Analyse": ("statics", "modes", "linearize", "invdyn", "spaces", "reduce"),
    "Cable robots": (
        "lengths",
        "pose",
        "tensions",
        "workspace",
        "stiffness",
        "interference",
        "sensitivity",
        "fastest",
        "calibrate",
    ),  # fmt: skip
    "Studies": ("sweep", "fit", "optimize"),
    "Other programs": ("import", "serve", "fmu"),
}


@dataclass(frozen=True)
class Parameter:
    """An argument or an option of a command, as its function declares it."""

    name: str
    info: ArgumentInfo | OptionInfo
    kind: Any
    default: Any

    @property
    def is_option(self) -> bool:
        return isinstance(self.info, OptionInfo)

    @property
    def is_required(self) -> bool:
        return self.default is inspect.Parameter.empty

    @property
    def typed(self) -> str:
        """The parameter as it is typed on the command line."""
        if not self.is_option:
            word = self.info.metavar or self.name.upper()
            return word if self.is_required else f"[{word}]"
        option = "--" + self.name.replace("_", "-")
        automatic = (f"{option}/--no-{option[2:]}",) if self.kind is bool else (option,)
        # the first positional argument of typer.Option inside of Annotated is a name, too
        first = (self.info.default,) if isinstance(self.info.default, str) else ()
        return ", ".join((*first, *(self.info.param_decls or ())) or automatic)

    @property
    def row(self) -> str:
        """The parameter as a line of the table."""
        value = f"`{self.info.metavar or self.kind_word}`" if self.is_option and self.kind is not bool else ""
        has_default = self.default not in (None, False, inspect.Parameter.empty) and self.kind is not bool
        default = f"`{self.default}`" if has_default else ""
        meaning = " ".join((self.info.help or "").split())
        cells = [f"`{self.typed}`", value, "required" if self.is_required else default, meaning]
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    @property
    def kind_word(self) -> str:
        """Word for the type of the parameter, if its option names none."""
        return {int: "INTEGER", float: "NUMBER"}.get(self.kind, "TEXT")


def page() -> str:
    """The page as Markdown."""
    found = {one.name or one.callback.__name__: one.callback for one in app.registered_commands if one.callback}
    if differ := set(found) ^ {name for names in GROUPS.values() for name in names}:
        raise ValueError(f"GROUPS of docs/generate/commands.py and the command line differ in {sorted(differ)}")
    parts = [INTRODUCTION]
    for group, names in GROUPS.items():
        parts += [f"## {group}\n", *(section(name, found[name]) for name in names)]
    return "\n".join(parts)


def section(name: str, function: Callable[..., Any]) -> str:
    """Heading, usage, text and table of one command."""
    parameters = sorted(declared(function), key=lambda one: one.is_option)
    arguments = [one.typed for one in parameters if not one.is_option]
    usage = " ".join(["taut", name, *arguments, *(["[OPTIONS]"] if len(arguments) < len(parameters) else [])])
    table = ["| | value | default | meaning |", "|---|---|---|---|", *(one.row for one in parameters), ""]
    text = described(inspect.getdoc(function) or "")
    return "\n".join([f"### taut {name}\n", f"`{usage}`\n", text, "", *(table if parameters else [])])


def declared(function: Callable[..., Any]) -> Iterator[Parameter]:
    """Arguments and options of a command's function."""
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        kind, *infos = get_args(hints[name]) if get_origin(hints[name]) is Annotated else (hints[name],)
        for info in infos:
            if isinstance(info, (ArgumentInfo, OptionInfo)) and not info.hidden:
                yield Parameter(name, info, next(iter(get_args(kind)), kind), parameter.default)


def described(text: str) -> str:
    """The help of a command, its example as code."""
    parts = [" ".join(part.split()) for part in text.split("\n\n")]
    return "\n\n".join(as_example(part) if part.startswith("Example") else part for part in parts)


def as_example(text: str) -> str:
    """Examples, their commands as code."""
    head, _, commands = text.partition(": ")
    return f"{head}: " + ", ".join(f"`{command.strip('`')}`" for command in commands.split("; "))


if __name__ == "__main__":
    print(page(), end="")
