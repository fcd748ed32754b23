"""The machine recomputed at moments of a run: frames, forces, closures, motion and energies, in plain numpy."""
