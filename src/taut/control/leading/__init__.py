"""Controllers that lead a body along a path by winches and drums."""
