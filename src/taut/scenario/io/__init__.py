"""Scenarios read from YAML and written to it, with the line of every key."""
