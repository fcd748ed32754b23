"""Where a machine hangs at rest: the equilibrium, the ways to it, and why there is none."""
