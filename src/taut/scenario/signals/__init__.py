"""Signals: numbers, expressions, waypoints and tables, up to the pieces that the engine reads."""
