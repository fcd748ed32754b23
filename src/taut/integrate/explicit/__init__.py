"""The explicit method of order 8: its step and loop."""
