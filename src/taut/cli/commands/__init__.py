"""The commands of `taut`, one per file."""
