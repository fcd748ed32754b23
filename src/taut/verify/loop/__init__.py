"""The simulation inside other programs: all doors give the same motion."""
