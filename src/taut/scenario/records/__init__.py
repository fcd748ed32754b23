"""Records of bodies, joints, laws, closures, forces and of the run."""
