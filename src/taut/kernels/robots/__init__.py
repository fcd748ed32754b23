"""Arithmetic of cable robots: cables over pulleys, tension distribution, facets of wrench sets, distances."""
