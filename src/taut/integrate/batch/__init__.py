"""Many machines of one structure, run side by side."""
