"""Measurements of a running machine, and the sensors that report them."""
