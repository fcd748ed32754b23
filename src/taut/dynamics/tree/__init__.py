"""Recursions along the trees: kinematics, mass, the articulated factor and its solves."""
