"""The generalized-alpha method: its step and loop."""
