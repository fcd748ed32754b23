"""The page docs/usage/results.md, made from the list of channels.

Usage: python docs/generate/results.py > docs/usage/results.md
"""

from taut.results import channels
from taut.results.channels import COORDINATES, PLATFORM, Channel
from taut.results.record import CONVENTIONS

INTRODUCTION = f"""# Results

Everything a run found, made from the code's own list by `python docs/generate/results.py > docs/usage/results.md`. A
machine has only the variables it has something for: without cables there are none of cables.

Conventions: {CONVENTIONS}.

```text
result["cable_tension_exit"].sel(cable="C1")       # one variable, one cable: an xarray array over time
result["platform_position"].sel(xyz="z")           # height of the platform
result.dataset                                     # all of them, with names and units
```

## The result itself

`taut.simulate` returns one; `taut.open_result("run.nc")` reads one from a file, or from the journal of a run that was
interrupted.

| name | what |
|---|---|
| `result[name]`, `name in result`, `list(result)` | a variable; whether it is there; the names of all |
| `.time` | times of the samples [s] |
| `.status` | `completed`, `stopped` (by an event that was asked for), `interrupted`, or what went wrong |
| `.status_text` | what happened, and what to do about it |
| `.audit` | plain data: `verdict` (pass, fail, or incomplete), `reasons`, `warnings`, `thresholds`, and each line |
| `.events` | what happened, in order: a list of `time` [s], `name`, `what` |
| `.title`, `.scenario_text` | name of the scenario; the scenario as YAML, which runs again |
| `.euler(body, sequence)` | Euler angles of a body [rad], about turned axes, continuous in time |
| `.save(path)`, `.path`, `.close()` | write a NetCDF file; the file it was read from; close it |
| `.view()` | show it in the browser |
| `.dataset` | the xarray dataset; `.dataset.attrs` has versions, method, tolerance and digest of the model |
"""
GROUPS = {
    "Bodies": channels.BODY,
    "Cables": channels.CABLE,
    "Ropes over guides": channels.ROUTE,
    "The machine as a whole": channels.MACHINE,
    "Driven joints": channels.DRIVE,
    "Manipulators": channels.MANIPULATOR,
    "Energy": channels.ENERGY,
    "Reduced models": channels.ROM,
    "Steps of the integrator": channels.STEP,
    "Controllers": channels.CONTROL,
}
PLATFORM_NOTE = (
    f"The body named `{PLATFORM}` has all of them also under its own name, without the dimension `body`: "
    + ", ".join(f"`{channel.name.replace('body', PLATFORM, 1)}`" for channel in channels.BODY)
    + ".\n"
)


def page() -> str:
    """The whole page as Markdown."""
    parts = [INTRODUCTION]
    for heading, group in GROUPS.items():
        parts.append(f"## {heading}\n\n" + table(group))
        if group is channels.BODY:
            parts.append(PLATFORM_NOTE)
    return "\n".join([*parts, dimensions()])


def table(group: tuple[Channel, ...]) -> str:
    """The table of a group of variables."""
    head = "| variable | dimensions | unit | meaning |\n|---|---|---|---|\n"
    return head + "".join(
        f"| `{c.name}` | {', '.join(c.dims)} | {'-' if c.unit == '1' else c.unit} | {c.long_name} |\n" for c in group
    )


def dimensions() -> str:
    """The table of dimensions, and what each counts."""
    lines = [f"| `{name}` | {unit if unit not in ('', '1') else '-'} | {meaning} |\n"
             for name, (unit, meaning) in COORDINATES.items()]  # fmt: skip
    uncounted = "| `step` | - | accepted step of the integrator |\n| `sample` | - | sample of the controllers |\n"
    return "## Dimensions\n\n| dimension | unit | meaning |\n|---|---|---|\n" + "".join(lines) + uncounted


if __name__ == "__main__":
    print(page(), end="")
