"""Analyses of a model: forward and inverse dynamics at a state, statics, modes, reduction, spaces."""
