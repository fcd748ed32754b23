"""The one list of what a result holds: name, dimensions, unit, meaning and type of every variable.

Everything else (datasets, attributes in the file, docs) is made from this list. A channel whose machine has none of it
(no cable, no closure) is left out of the result.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from taut.results.variables import Content, Variable, Variables

if TYPE_CHECKING:
    import xarray as xr


class Channel(NamedTuple):
    """One variable of a result."""

    name: str
    dims: tuple[str, ...]
    unit: str
    long_name: str
    dtype: type = np.float64


PLATFORM = "platform"
ROUNDING = 1e-9  # tensions smaller than this count as zero, relative to the largest

BODY = (
    Channel("body_position", ("time", "body", "xyz"), "m", "position of the body frame's origin"),
    Channel("body_quaternion", ("time", "body", "wxyz"), "1", "orientation of the body frame, body to world"),
    Channel("body_velocity", ("time", "body", "xyz"), "m/s", "velocity of the body frame's origin"),
    Channel("body_angular_velocity", ("time", "body", "xyz"), "rad/s", "angular velocity of the body"),
    Channel("body_acceleration", ("time", "body", "xyz"), "m/s^2", "acceleration of the body frame's origin"),
    Channel("body_angular_acceleration", ("time", "body", "xyz"), "rad/s^2", "angular acceleration of the body"),
)

CABLE = (
    Channel("cable_element_count", ("cable",), "1", "number of elements; entries beyond it are padding", np.int64),
    Channel("cable_nodes", ("time", "cable", "node", "xyz"), "m", "positions of the cable's nodes, exit to anchor"),
    Channel("cable_tension", ("time", "cable", "element"), "N", "tension of the elements, exit to anchor"),
    Channel("cable_tension_exit", ("time", "cable"), "N", "tension at the exit"),
    Channel("cable_tension_anchor", ("time", "cable"), "N", "tension at the anchor"),
    Channel("cable_torque", ("time", "cable", "node"), "N m", "torque in the cable at its nodes, exit to anchor"),
    Channel("cable_length", ("time", "cable"), "m", "unstrained length"),
    Channel("cable_utilisation", ("time", "cable"), "1", "largest tension over the breaking load; zero where unknown"),
    Channel("cable_slack", ("time", "cable", "element"), "1", "whether the element carries no tension", np.bool_),
    Channel("cable_cut", ("time", "cable"), "1", "whether the cable has been cut, or has broken", np.bool_),
    Channel("anchor_force", ("time", "cable", "xyz"), "N", "force on the cable's end at the anchor"),
    Channel("exit_force", ("time", "cable", "xyz"), "N", "force on the cable's end at the exit"),
)

ROUTE = (
    Channel("span_tension", ("time", "span"), "N", "tension of the straight spans of cables over guides"),
    Channel("guide_wrap", ("time", "guide"), "rad", "angle by which a cable is wrapped about a sheave"),
    Channel(
        "guide_swivel", ("time", "guide"), "rad", "turn of a sheave's plane about the vertical, from that of x and z"
    ),
    Channel("guide_load", ("time", "guide", "xyz"), "N", "force of a cable on its guide, of both its sides"),
    Channel(
        "guide_slip",
        ("time", "guide"),
        "m",
        "length that has slipped over a guide towards the anchor; zero without friction",
    ),
)

MACHINE = (
    Channel("joint_position", ("time", "coordinate"), "m or rad", "joint coordinates q"),
    Channel("joint_velocity", ("time", "column"), "m/s or rad/s", "joint velocities v"),
    Channel("joint_acceleration", ("time", "column"), "m/s^2 or rad/s^2", "joint accelerations"),
    Channel("multiplier", ("time", "row"), "N or N m", "Lagrange multipliers of the constraint rows"),
    Channel("constraint_error", ("time",), "m", "constraint error e1, largest of all rows"),
    Channel(
        "constraint_error_velocity", ("time",), "m/s", "constraint error e2 of the velocities, largest of all rows"
    ),
    Channel("contact_overlap", ("time",), "m", "overlap of contacts and taut cables, the largest"),
    Channel("constraint_error_acceleration", ("time",), "m/s^2", "constraint error e3 of the accelerations"),
    Channel("closure_error", ("time", "closure"), "m", "constraint error e1, largest of the closure's rows"),
    Channel("closure_error_velocity", ("time", "closure"), "m/s", "constraint error e2, largest of the closure's rows"),
)

DRIVE = (
    Channel("drive_position", ("time", "drive"), "m or rad", "coordinate of a joint whose motion is given"),
    Channel("drive_velocity", ("time", "drive"), "m/s or rad/s", "its rate"),
    Channel("drive_force", ("time", "drive"), "N or N m", "force of the drive along it"),
)

CONTROL = (
    Channel("control_time", ("sample",), "s", "time of the controllers' sample"),
    Channel("measurement_value", ("sample", "measurement"), "SI", "what the controllers were told"),
    Channel("command_value", ("sample", "command"), "SI", "what they commanded, within its limits"),
)

MANIPULATOR = (
    Channel("actuator_force", ("time", "actuator"), "N or N m", "force or torque of the actuator"),
    Channel("actuator_velocity", ("time", "actuator"), "m/s or rad/s", "rate of the actuated coordinate"),
    Channel("actuator_power", ("time", "actuator"), "W", "power of the actuator"),
    Channel("closure_force", ("time", "closure", "xyz"), "N", "force at the closure on its first body"),
    Channel("condition_gain", ("time",), "1", "condition number of J_eta,qx: large near a gain-type singularity"),
    Channel("condition_loss", ("time",), "1", "condition number of J_eta,q: large near a loss-type singularity"),
)

ENERGY = (
    Channel("energy_kinetic", ("time",), "J", "kinetic energy"),
    Channel("energy_gravity", ("time",), "J", "potential energy of gravity"),
    Channel("energy_elastic", ("time",), "J", "elastic energy"),
    Channel("work_input", ("time",), "J", "work of drivers, actuators and applied forces since the start"),
    Channel("work_dissipated", ("time",), "J", "energy dissipated since the start"),
    Channel(
        "energy_balance", ("time",), "J", "change of stored energy - input + dissipation; zero for an exact solution"
    ),
)

ROM = (
    Channel("rom_trust", ("time",), "1", "distance of the reduced cables from their training; up to 1 is inside"),
    Channel("rom_residual", ("time",), "1", "what the full model would correct at once, against the way in training"),
)

STEP = (
    Channel("step_time", ("step",), "s", "time at the end of the accepted step"),
    Channel("step_size", ("step",), "s", "size of the accepted step"),
    Channel("step_newton_iterations", ("step",), "1", "Newton iterations of the accepted step", np.int64),
    Channel("step_error", ("step",), "1", "estimated local error, relative to the tolerance"),
)

CHANNELS = (*BODY, *CABLE, *ROUTE, *MACHINE, *DRIVE, *MANIPULATOR, *ENERGY, *ROM, *STEP, *CONTROL)
BY_NAME = {channel.name: channel for channel in CHANNELS}


def channel_of(name: str) -> Channel | None:
    """The channel of a variable's name, also of those of the platform alone; None for any other name."""
    of_body = BY_NAME.get(name.replace(PLATFORM, "body", 1)) if name.startswith(PLATFORM) else None
    if of_body is not None:
        return of_body._replace(name=name, dims=tuple(dim for dim in of_body.dims if dim != "body"))
    return BY_NAME.get(name)


# coordinates of a result: unit (none for names) and meaning
COORDINATES = {
    "time": ("s", "time"),
    "body": ("", "name of the body"),
    "cable": ("", "name of the cable"),
    "node": ("1", "node of the cable; 0 is the exit point"),
    "element": ("1", "element of the cable; 1 begins at the exit point"),
    "xyz": ("", "component in world axes, z up"),
    "wxyz": ("", "component of the quaternion, w is the scalar"),
    "coordinate": ("", "name of the joint coordinate: as `column`, and `.qw` to `.qz` for the parts of a quaternion"),
    "column": ("", "name of the joint velocity"),
    "row": ("", "name of the constraint row"),
    "closure": ("", "name of the closure"),
    "drive": ("", "name of the body on the driven joint"),
    "span": ("", "span of a cable over guides: its name and a number from the exit on"),
    "guide": ("", "guide of a cable: its name and a number from the exit on, or exit for the pulley there"),
    "measurement": ("", "name of the measurement"),
    "command": ("", "name of the command"),
    "actuator": ("", "name of the actuated coordinate"),
}


def assemble(arrays: dict[str, np.ndarray], coords: dict, attrs: dict) -> "xr.Dataset":
    """Give raw arrays their names, dimensions, units and meanings.

    What follows from the given arrays is added: ``energy_balance``, ``cable_element_count`` and the ``platform_*``
    variables of the body named platform.

    Args:
        arrays: By channel name, shaped as the channel's dims; cables with fewer elements than others are padded with
            NaN (``cable_slack``: False).
        coords: ``time`` [s] and the names along ``body``, ``cable``, ``closure``, ``row``, ``coordinate``, ``column``,
            as far as the machine has them.
        attrs: Attributes of the dataset.
    """
    return content(variables_of(arrays, coords), attrs).to_xarray()


def content(variables: Variables, attrs: dict[str, Any]) -> Content:
    """Content of a dataset made of these variables."""
    return Content(variables, tuple(dim for dim in COORDINATES if dim in variables), attrs)


def variables_of(arrays: dict[str, np.ndarray], coords: dict) -> Variables:
    """The variables of ``assemble`` and its coordinates, by name."""
    unknown = sorted(set(arrays) - set(BY_NAME))
    if unknown:
        raise ValueError(f"no such channel: {', '.join(unknown)}")
    variables = {c.name: _variable(c, arrays[c.name]) for c in CHANNELS if c.name in arrays}
    # leave out empty variables: those of cables, closures or steps of a machine that has none
    variables = {name: variable for name, variable in variables.items() if 0 not in variable.shape[1:]}
    variables = {name: v for name, v in variables.items() if v.dims != ("step",) or v.size}
    _derive(variables)
    ordered = {c.name: variables[c.name] for c in CHANNELS if c.name in variables}
    sizes = {str(dim): size for variable in ordered.values() for dim, size in variable.sizes.items()}
    return {**_platform(ordered, coords), **ordered, **_coordinates(sizes, coords)}


def pad_cables(parts: list[np.ndarray], fill: float = np.nan) -> np.ndarray:
    """Stack per-cable arrays of different lengths, shape [time, count, ...], into [time, cable, count, ...]."""
    count = max(part.shape[1] for part in parts)
    shape = (parts[0].shape[0], len(parts), count, *parts[0].shape[2:])
    stacked = np.full(shape, fill, dtype=parts[0].dtype)
    for k, part in enumerate(parts):
        stacked[:, k, : part.shape[1]] = part
    return stacked


def energy_balance(parts: dict[str, np.ndarray]) -> np.ndarray:
    """Change of stored energy - input + dissipation [J], from the arrays of those names."""
    stored = parts["energy_kinetic"] + parts["energy_gravity"] + parts["energy_elastic"]
    return stored - stored[:1] - (parts["work_input"] - parts["work_dissipated"])


def continuous(quaternions: np.ndarray) -> np.ndarray:
    """Quaternions [time, ...., 4] with the signs that make them continuous in time; q and -q are the same turn."""
    turns = np.sum(quaternions[1:] * quaternions[:-1], axis=-1, keepdims=True)
    signs = np.cumprod(np.where(turns < 0.0, -1.0, 1.0), axis=0)
    return np.concatenate([quaternions[:1], signs * quaternions[1:]])


def rounding_tension(tensions: np.ndarray) -> float:
    """Tension up to which an element counts as slack [N]: a small share of the largest, above rounding."""
    finite = np.abs(tensions[np.isfinite(tensions)])
    return float(ROUNDING * finite.max()) if finite.size else 0.0


def _variable(channel: Channel, array: np.ndarray) -> Variable:
    values = np.asarray(array, dtype=channel.dtype)
    if values.ndim != len(channel.dims):
        raise ValueError(f"{channel.name} has dimensions {channel.dims}, and was given the shape {values.shape}")
    return Variable(channel.dims, values, {"units": channel.unit, "long_name": channel.long_name})


def _derive(variables: Variables) -> None:
    """Add what follows from the other variables and was not given; make quaternions continuous in time."""
    if "body_quaternion" in variables:
        variables["body_quaternion"].values = continuous(variables["body_quaternion"].values)
    parts = [channel.name for channel in ENERGY if channel.name != "energy_balance"]
    if "energy_balance" not in variables and all(name in variables for name in parts):
        values = energy_balance({name: variables[name].values for name in parts})
        variables["energy_balance"] = _variable(BY_NAME["energy_balance"], values)
    if "cable_slack" in variables and "cable_tension" in variables:
        tensions = variables["cable_tension"].values
        slack = variables["cable_slack"].values | (tensions <= rounding_tension(tensions))
        # a part of a cut cable is no cable that has gone slack
        is_whole = ~variables["cable_cut"].values[:, :, None] if "cable_cut" in variables else True
        variables["cable_slack"].values = slack & is_whole
    if "cable_element_count" not in variables and "cable_tension" in variables:
        counts = np.sum(~np.isnan(variables["cable_tension"].values[:1]), axis=(0, 2))
        variables["cable_element_count"] = _variable(BY_NAME["cable_element_count"], counts)


def _platform(variables: Variables, coords: dict) -> Variables:
    """The platform's variables: views of those of all bodies."""
    bodies = list(coords.get("body", ()))
    if PLATFORM not in bodies:
        return {}
    names = [channel.name for channel in BODY if channel.name in variables]
    row = bodies.index(PLATFORM)
    return {name.replace("body", PLATFORM, 1): _of_body(variables[name], row) for name in names}


def _of_body(variable: Variable, row: int) -> Variable:
    axis = variable.dims.index("body")
    dims = variable.dims[:axis] + variable.dims[axis + 1 :]
    return Variable(dims, variable.values[(slice(None),) * axis + (row,)], variable.attrs)


def _coordinates(sizes: dict[str, int], coords: dict) -> Variables:
    fixed = {"xyz": list("xyz"), "wxyz": list("wxyz")}
    counted = {
        dim: np.arange(first, sizes[dim] + first) for dim, first in (("node", 0), ("element", 1)) if dim in sizes
    }
    given = {**fixed, **counted, **coords}
    return {dim: _coordinate(dim, given[dim]) for dim in COORDINATES if dim in sizes and dim in given}


def _coordinate(dim: str, values: list | np.ndarray) -> Variable:
    unit, meaning = COORDINATES[dim]
    attrs = {"units": unit, "long_name": meaning} if unit else {"long_name": meaning}
    return Variable((dim,), np.asarray(values) if unit else np.asarray(values, dtype=str), attrs)
