"""Displacement and Euler angles of the platform (as [Mamidi2024, Fig. 9])."""

from taut.results.result import Result
from taut.views.plots.sheet import Panel, Sheet, all_bodies, bodies_of, curves_of, name_of

SMALLEST = 1e-6  # smallest span of a vertical axis [m, rad]
MOST_OTHERS = 12


def motion_sheets(result: Result) -> list[Sheet]:
    """A sheet per body: where it goes from its start, and how it turns."""
    return [_sheet(result, body) for body in bodies_of(result) if "body_position" in result]


def body_sheets(result: Result) -> list[Sheet]:
    """Displacement and rotation of the bodies besides the platform, if they are few."""
    shown = bodies_of(result)
    others = [body for body in all_bodies(result) if body not in shown]
    return [_sheet(result, body) for body in others[:MOST_OTHERS] if "body_position" in result]


def _sheet(result: Result, body: str) -> Sheet:
    position = result["body_position"].sel(body=body)
    displacement = curves_of(position - position[0], "xyz")
    panels = [Panel("displacement [m]", displacement, smallest_span=SMALLEST)]
    if "body_quaternion" in result:
        angles = curves_of(result.euler(body, "xyz"), "angle", ["about x", "about y", "about z"])
        panels.append(Panel("Euler angles xyz [rad]", angles, smallest_span=SMALLEST))
    return Sheet(name_of("motion", body), f"Motion of {body}", panels)
