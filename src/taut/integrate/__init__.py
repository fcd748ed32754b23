"""From a Model to its start state, and from there through time."""
