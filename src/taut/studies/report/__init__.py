"""A study as one HTML file."""
