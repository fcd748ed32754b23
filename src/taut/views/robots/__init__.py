"""Figures of the analyses of robots, from the datasets of their records."""
