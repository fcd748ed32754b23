"""Velocities and accelerations of the platform (as [Mamidi2024, Fig. 10])."""

from taut.results.result import Result
from taut.views.plots.sheet import Panel, Sheet, bodies_of, curves_of, name_of

SMALLEST = 1e-6  # smallest span of a vertical axis, in each unit


def velocity_sheets(result: Result) -> list[Sheet]:
    """A sheet per body: linear and angular velocity."""
    channels = {"body_velocity": "velocity [m/s]", "body_angular_velocity": "angular velocity [rad/s]"}
    return _sheets(result, "velocity", channels)


def acceleration_sheets(result: Result) -> list[Sheet]:
    """A sheet per body: linear and, where it is there, angular acceleration."""
    channels = {
        "body_acceleration": "acceleration [m/s$^2$]",
        "body_angular_acceleration": "angular acceleration [rad/s$^2$]",
    }
    return _sheets(result, "acceleration", channels)


def _sheets(result: Result, group: str, channels: dict[str, str]) -> list[Sheet]:
    present = {name: label for name, label in channels.items() if name in result}
    if not present:
        return []
    return [
        Sheet(
            name_of(group, body),
            f"{group.capitalize()} of {body}",
            [
                Panel(label, curves_of(result[name].sel(body=body), "xyz"), smallest_span=SMALLEST)
                for name, label in present.items()
            ],
        )
        for body in bodies_of(result)
    ]
