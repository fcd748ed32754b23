"""Modal nodes: cables of assumed modes, reduced cables, forces that are piecewise linear."""
