"""From raw samples of a run to channels with names."""
