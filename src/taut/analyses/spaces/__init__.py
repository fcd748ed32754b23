"""One machine in chosen coordinates: coefficient matrices, kinematics and motion in every space."""
