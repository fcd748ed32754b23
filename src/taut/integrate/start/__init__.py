"""The start of a run: loops closed, what was given kept, rows that follow from others found."""
