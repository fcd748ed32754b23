"""Limits that methods of integration share with the audit: apart from it, so that they are compiled anew less often."""

SWINGS = 10.0  # number of swings assumed in long runs: the energy exchanged is the total exchange divided by this
OPEN_RATE = 100.0  # closure error of velocities inside steps, in tolerated errors of a point per time scale
