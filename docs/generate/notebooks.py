"""Make the notebooks of examples/tutorials from the pages of docs/tutorials: run `python docs/generate/notebooks.py`.

A page is the only source. Its programs become cells, its commands `%taut ...`, its files `%%writefile`; what they print
is left out, because a notebook prints it itself. A file whose first line is `# NAME.yaml` is written whole;
`# in NAME.yaml` gives keys that replace those of the same name in its sections, or are added.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
PAGES, NOTEBOOKS = ROOT / "docs/tutorials", ROOT / "examples/tutorials"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n?", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#)([^)]+)\)")
SECTION = re.compile(r"^(?=[\w-]+:)", re.MULTILINE)
ENTRY = re.compile(r"^(?=  [\w-]+:)", re.MULTILINE)
SETUP = "# commands of taut as %taut\n%load_ext taut.cli.notebook"
LANGUAGES = ("python", "console", "yaml", "text")


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook.

    Attributes:
        kind: markdown, setup, program, command or file.
        source: Text of the cell.
        printed: What the page shows of its output; empty if it shows nothing.
        is_refused: Whether the command is one that ends with the error shown.
    """

    kind: str
    source: str
    printed: str = ""
    is_refused: bool = False


def pages() -> list[Path]:
    """The tutorials that have programs or commands."""
    return [path for path in sorted(PAGES.glob("*.md")) if BLOCK.search(path.read_text(encoding="utf-8"))]


def cells(page: Path) -> list[Cell]:
    """The cells of a page."""
    text = page.read_text(encoding="utf-8")
    found: list[Cell] = [Cell("setup", SETUP)]
    files: dict[str, str] = {}
    end = 0
    for block in BLOCK.finditer(text):
        found += prose(text[end : block.start()])
        end = block.end()
        language, content = block[1], block[2].strip("\n")
        if language not in LANGUAGES:
            raise ValueError(f"{page.name}: nothing tests a block of {language}")
        if language == "text":
            found[-1] = shown(found[-1], content, page)
        elif language == "python":
            is_file = re.match(r"# [\w-]+\.py\n", content)
            found.append(file_cell(content, files, page) if is_file else Cell("program", content))
        elif language == "console":
            found += commands(content)
        else:
            found.append(file_cell(content, files, page))
    found += prose(text[end:])
    return [found[1], found[0], *found[2:]]  # the title stands first


def prose(text: str) -> list[Cell]:
    """Text between two blocks, with links as they are seen from the notebook."""
    return [Cell("markdown", LINK.sub(moved, text.strip()))] if text.strip() else []


def moved(link: re.Match[str]) -> str:
    """A link of a page in docs/tutorials, seen from examples/tutorials."""
    folder, _, rest = link[1].rpartition("../")
    if folder:
        raise ValueError(f"a link out of docs: {link[1]}")
    path = PurePosixPath("../../docs") / ("" if link[1].startswith("../") else "tutorials") / rest
    return f"]({path})"


def shown(cell: Cell, content: str, page: Path) -> Cell:
    """A cell with what the page shows of its output."""
    if cell.kind not in ("program", "command") or cell.printed:
        raise ValueError(f"{page.name}: no program or command stands before the output {content[:40]!r}")
    return Cell(cell.kind, cell.source, content, cell.is_refused)


def commands(content: str) -> list[Cell]:
    """One cell for each command; with the answer below it, if it is one that is refused."""
    made = []
    for session in content.removeprefix("$ ").split("\n$ "):
        command, _, answer = session.partition("\n")
        if not command.startswith("taut"):
            raise ValueError(f"not a command of taut: {command}")
        words, _, remark = command.partition("  #")
        source = f"%{words.strip()}" if not remark else f"# {remark.strip()}\n%{words.strip()}"
        made.append(Cell("command", source, answer.strip(), bool(answer.strip())))
    return made


def file_cell(content: str, files: dict[str, str], page: Path) -> Cell:
    """A cell that writes a file: as given, or what is to be changed in it."""
    first, _, rest = content.partition("\n")
    is_part, name = first.startswith("# in "), first.removeprefix("# ").removeprefix("in ")
    if not re.fullmatch(r"# (in )?[\w-]+\.\w+", first):
        raise ValueError(f"{page.name}: a file begins with '# NAME.yaml' or '# in NAME.yaml', not {first!r}")
    files[name] = with_sections(files[name], rest) if is_part else content
    return Cell("file", f"%%writefile {name}\n{files[name]}\n")


def with_sections(text: str, changes: str) -> str:
    """A file with changes: keys replace those of the same name in their section, or are added; so do sections."""
    parts = split(text, SECTION)
    for name, change in split(changes, SECTION).items():
        is_nested = name in parts and all(ENTRY.search(part) for part in (change, parts[name]))
        if is_nested:
            parts[name] = "\n".join((split(parts[name], ENTRY) | split(change, ENTRY)).values())
        elif name:
            parts[name] = change
    return "\n".join(parts.values())


def split(text: str, border: re.Pattern[str]) -> dict[str, str]:
    """Parts of a text by their keys; the first part is what stands before the first border."""
    parts = [part.strip("\n") for part in border.split(text)]
    return {part.strip().partition(":")[0]: part for part in parts if part.strip()}


def notebook(page: Path) -> str:
    """The notebook of a page, as text."""
    made = []
    for number, cell in enumerate(cells(page)):
        common = {"id": f"{page.stem[:40]}-{number}", "source": cell.source.splitlines(keepends=True)}
        if cell.kind == "markdown":
            made.append({"cell_type": "markdown", "metadata": {}, **common})
        else:
            metadata = {"tags": ["raises-exception"]} if cell.is_refused else {}
            made.append({"cell_type": "code", "execution_count": None, "metadata": metadata, "outputs": [], **common})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    for path in pages():
        (NOTEBOOKS / f"{path.stem}.ipynb").write_text(notebook(path), encoding="utf-8")
