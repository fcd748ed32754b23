"""The suspended platform, and methods for impacts and slack."""
