"""The audit: a run is judged by other code than the engine that made it, in plain numpy."""
