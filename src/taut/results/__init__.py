"""Named results with units, their audit, and their files."""
