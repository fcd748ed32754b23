"""Questions asked of a model: forward and inverse dynamics at a state, and whatever else needs no time stepping."""
