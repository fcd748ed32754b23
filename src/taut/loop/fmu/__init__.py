"""Machines as FMUs for co-simulation: commands in, observations out, numbers of the scenario as parameters.

An FMU holds the scenario and a few lines of Python. The computer that imports it needs Python with taut, which is
looked for when the FMU is loaded.
"""

from taut.loop.fmu.export import export_fmu

__all__ = ["export_fmu"]
