"""YAML text to plain mappings, lists and scalars, with the line of every key, and with limits against hostile files.

The document is put together from the parser's events, so that nothing is expanded before it has been counted.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from taut.scenario.errors import NO_VALUE, Problem, ScenarioError

from .source import Path, Source, join_path

MOST_BYTES = 4 * 2**20
MOST_NODES = 250_000
DEEPEST = 32
# errors that the parser raises for broken input: its own, and others by its defects
PARSER_FAULTS = (YAMLError, ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError)

CONSTANTS = {"": None, "~": None, "null": None, "Null": None, "NULL": None,
             "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}  # fmt: skip
INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
SPECIAL = re.compile(r"([-+]?)\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
TAGS = {"tag:yaml.org,2002:str": str, "!": str}


@dataclass
class Open:
    """A mapping or list that is being filled."""

    data: Any
    path: Path
    line: int
    anchor: str | None = None
    size: int = 1
    key: str | None = None
    merged: list[Any] = field(default_factory=list)


def read_yaml(text: str | bytes, name: str) -> tuple[Any, Source]:
    """Return the data of a YAML text and where everything stands in it, or raise ScenarioError."""
    if len(text) > MOST_BYTES:
        raise _error(name, None, f"is too large: {len(text)} bytes, at most {MOST_BYTES} are read")
    return _Reader(name).read(_decode(text, name))


def _decode(text: str | bytes, name: str) -> str:
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = text[: error.start].count(b"\n") + 1
        raise _error(name, line, "is not UTF-8 text", "save the file with the encoding UTF-8") from None


def _error(name: str, line: int | None, message: str, remedy: str = "", path: Path = ()) -> ScenarioError:
    return ScenarioError([Problem(message, join_path(path), NO_VALUE, remedy, name, line)])


class _Reader:
    """Puts a document together from events."""

    def __init__(self, name: str) -> None:
        self.name, self.source = name, Source(name)
        self.stack: list[Open] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.count, self.documents = 0, 0
        self.root: Any = None

    def read(self, text: str) -> tuple[Any, Source]:
        try:
            for event in YAML(typ="safe", pure=True).parse(text):
                self.take(event, event.start_mark.line + 1)
        except ScenarioError:
            raise
        except PARSER_FAULTS as error:
            raise self.syntax_error(error) from None
        self.source.lines.setdefault((), 1)
        return self.root, self.source

    def syntax_error(self, error: BaseException) -> ScenarioError:
        mark = getattr(error, "problem_mark", None)
        text = getattr(error, "problem", None) or str(error).split("\n")[0]
        remedy = "indent with spaces, not with tabs" if "\\t" in text else ""
        return _error(self.name, mark.line + 1 if mark else None, f"is not valid YAML: {text}", remedy)

    def take(self, event: Any, line: int) -> None:
        match event:
            case DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    raise _error(self.name, line, "holds more than one document", "remove the line ---")
            case ScalarEvent():
                self.take_scalar(event, line)
            case AliasEvent():
                self.take_alias(event.anchor, line)
            case MappingStartEvent() | SequenceStartEvent():
                self.open(event, {} if isinstance(event, MappingStartEvent) else [], line)
            case MappingEndEvent() | SequenceEndEvent():
                self.close()

    def take_scalar(self, event: Any, line: int) -> None:
        if self.wants_key():
            self.take_key(event.value, line)
            return
        value = self.scalar(event, line)
        if event.anchor:
            self.anchors[event.anchor] = (value, 1)
        self.add(value, 1, line)

    def scalar(self, event: Any, line: int) -> Any:
        self.check_tag(event, line)
        return event.value if event.style or event.ctag else plain_scalar(event.value)

    def check_tag(self, event: Any, line: int) -> None:
        if event.ctag and str(event.ctag) not in TAGS:
            raise _error(
                self.name, line, f"tag {event.ctag} is not allowed", "scenarios hold plain data only", self.here()
            )

    def take_key(self, key: str, line: int) -> None:
        top = self.stack[-1]
        if key in top.data:
            first = self.source.lines.get((*top.path, key))
            raise _error(
                self.name, line, f"key given twice, first in line {first}", "remove one of the two", (*top.path, key)
            )
        top.key = key
        if key != "<<":
            self.source.lines[(*top.path, key)] = line

    def take_alias(self, anchor: str, line: int) -> None:
        if anchor not in self.anchors or self.wants_key():
            raise _error(self.name, line, f"alias *{anchor} does not refer to anything above", path=self.here())
        value, size = self.anchors[anchor]
        self.add(value, size, line)

    def open(self, event: Any, data: Any, line: int) -> None:
        if self.wants_key():
            raise _error(self.name, line, "a key must be plain text", path=self.here())
        self.check_tag(event, line)
        if len(self.stack) >= DEEPEST:
            raise _error(self.name, line, f"is nested deeper than {DEEPEST} levels")
        self.stack.append(Open(data, self.here(), line, event.anchor))

    def close(self) -> None:
        done = self.stack.pop()
        for other in done.merged:
            done.data.update({key: value for key, value in other.items() if key not in done.data})
        if done.anchor:
            self.anchors[done.anchor] = (done.data, done.size)
        self.add(done.data, done.size, done.line)

    def wants_key(self) -> bool:
        return bool(self.stack) and isinstance(self.stack[-1].data, dict) and self.stack[-1].key is None

    def here(self) -> Path:
        """Return the path of the entry that comes next."""
        if not self.stack:
            return ()
        top = self.stack[-1]
        step = top.key if isinstance(top.data, dict) else len(top.data)
        return top.path if step is None else (*top.path, step)

    def add(self, value: Any, size: int, line: int) -> None:
        """Put a finished value into what is open, and count it with everything an alias repeats."""
        if not self.stack:
            self.root = value
            return
        top = self.stack[-1]
        top.size += size
        if top.size > MOST_NODES:
            raise _error(self.name, line, f"holds more than {MOST_NODES} entries (aliases expanded)")
        if isinstance(top.data, list):
            self.source.lines.setdefault(self.here(), line)
            top.data.append(value)
        elif top.key == "<<":
            top.merged += self.mappings(value, line)
        else:
            top.data[top.key] = value
        top.key = None

    def mappings(self, value: Any, line: int) -> list[Any]:
        values = value if isinstance(value, list) else [value]
        if not all(isinstance(entry, dict) for entry in values):
            raise _error(self.name, line, "<< must be followed by a mapping or a list of mappings", path=self.here())
        return values


def plain_scalar(text: str) -> Any:
    """Return an unquoted scalar as YAML 1.2 reads it: null, true, false, number, or text."""
    if text in CONSTANTS:
        return CONSTANTS[text]
    if INTEGER.fullmatch(text):
        return int(text, 0 if text[:2] in ("0o", "0x") else 10) if len(text) <= 100 else float("inf")
    if FLOAT.fullmatch(text):
        return float(text)
    special = SPECIAL.fullmatch(text)
    return float(f"{special[1]}inf" if special[2] else "nan") if special else text
