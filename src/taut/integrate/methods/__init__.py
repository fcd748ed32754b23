"""Integration methods, one per file: coefficients, order, stability, citation."""
