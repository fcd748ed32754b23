"""Commands that put a machine inside other programs."""
