"""Machines described for other tools: URDF and MJCF are read, MJCF is written."""
