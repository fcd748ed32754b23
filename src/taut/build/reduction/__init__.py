"""Reduced cables and piecewise linear forces as tables, and their files."""
