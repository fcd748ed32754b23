"""Equilibria: search methods, friction, and reasons why there is none."""
