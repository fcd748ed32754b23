"""Commands of studies: many runs of one machine."""
