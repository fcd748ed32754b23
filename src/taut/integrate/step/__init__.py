"""What the steps of all methods share: the time loop, Newton's iteration, closing, sizes, errors, clocks."""
