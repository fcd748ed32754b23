"""Bodies, joints, closures, drivers, forces and equipment as rows of tables."""
