"""Linear models of machines with commands as inputs and measurements as outputs."""
