"""The slow, obvious twin of the engine in plain numpy: dense matrices, no recursion, no structure.

Machines are read from a Model's tables, states are (q, v, signals). All of it passes complex numbers through, so that
time derivatives are complex steps along the motion.
"""
