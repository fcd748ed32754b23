"""The studio: a scenario's numbers beside the machine, run and compared in the browser."""

from taut.studio.studio import Studio, open_studio

__all__ = ["Studio", "open_studio"]
