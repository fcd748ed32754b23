"""Events of a run: how they are found inside a step, and what follows when one passes."""
