"""Runs of reduced machines: expanded to the full one, and judged by it."""
