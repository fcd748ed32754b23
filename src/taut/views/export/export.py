"""One file for another tool; its ending says which."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from taut.results.errors import ResultError
from taut.results.result import Result
from taut.views.export.csv_table import write_csv
from taut.views.export.gltf import write_scene
from taut.views.export.matlab import write_mat

TABLES = {".csv": write_csv, ".mat": write_mat}
SCENES = (".glb",)
ALL_SUFFIXES = (*TABLES, *SCENES)


def export_result(
    result: Result, output: str | Path, *, variables: Sequence[str] | None = None, time: float | None = None
) -> Path:
    """Write a result for another tool.

    Args:
        result: A run.
        output: A file that ends in .csv (a table over time), .mat (MATLAB) or .glb (glTF scene of a moment).
        variables: Names of variables for a table; none: all over time for .csv, all for .mat.
        time: Moment of a scene [s]; none: the first one.
    """
    output = Path(output)
    suffix = output.suffix.lower()
    if suffix in SCENES:
        return write_scene(result, output, time)
    if suffix not in TABLES:
        raise ResultError(output, "is of no known kind", f"end the name in one of {', '.join(ALL_SUFFIXES)}")
    for name in variables or ():
        if name not in result:
            close = get_close_matches(name, list(result), n=3)
            raise ResultError(
                "", f"the result has no variable {name!r}", f"did you mean {', '.join(close)}?" if close else ""
            )
    return TABLES[suffix](result, output, variables)
