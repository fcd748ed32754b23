"""Radau IIA(5), the default method: its stages, step, error, events and loop."""
