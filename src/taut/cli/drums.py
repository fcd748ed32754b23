"""What analyses at rest say of drums that controllers lead in a run only."""

from typing import Any


def led_drums(scenario: Any) -> list[str]:
    """Winches whose drums are led by controllers."""
    commands = {name for controller in scenario.controllers.values() for name in controller.outputs() or ()}
    return [name for name, driver in scenario.drivers.items()
            if driver.kind == "winch" and driver.drum is not None and driver.drum.torque in commands]  # fmt: skip


def controllers_off(scenario: Any, what: str) -> list[str]:
    """A line that says so, if drums are led."""
    led = led_drums(scenario)
    return [f"  the servos of {len(led)} drums do not act here: {what}"] if led else []
