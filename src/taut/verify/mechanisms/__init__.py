"""Mechanisms and manipulators: IFToMM benchmarks, loops, published platforms."""
