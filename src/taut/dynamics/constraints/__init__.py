"""Closures, and the small dense system of their multipliers."""
