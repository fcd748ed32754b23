"""Pure numba arithmetic on scalars and small tuples; knows no Model.

Three-vectors are 3-tuples, rotations are row-major 9-tuples and symmetric matrices are 6-tuples
``(xx, xy, xz, yy, yz, zz)``: LLVM keeps them in registers, they work in real and complex arithmetic and
with the JIT switched off.
"""
