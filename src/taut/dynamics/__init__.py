"""Algorithms f(model, data, ...), compiled by numba; one algorithm per file, no allocation.

``model`` is ``Model.tables``, ``data`` a Data and ``factor`` a Factor. Quantities are in world axes and referred to
each node's own origin, so that going from node to node is a shift, never a rotation.
"""
