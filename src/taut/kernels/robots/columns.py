"""Columns of what is found of a cable at a pose, and outcomes."""

# EXIT is the derivative of a cable's length by its exit; PULL is minus the derivative by its anchor
LENGTH, FREE, WRAP, PULL, LEAVE, SPREAD, COSINE, SINE, TOWARDS, EXIT, COLUMNS = 0, 1, 2, 3, 6, 9, 10, 11, 12, 15, 18
REACHED, AT_EXIT, INSIDE_PULLEY, OFF_SHEAVE = 0, 1, 2, 3
