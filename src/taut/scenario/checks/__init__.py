"""What no record can see on its own: errors and warnings of a scenario as a whole."""
