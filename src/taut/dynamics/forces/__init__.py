"""Forces that act in a machine: laws, cables without mass, the ground, material that flows."""
