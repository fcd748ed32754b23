"""Cables, winches and pulleys as nodes and rows of tables."""
