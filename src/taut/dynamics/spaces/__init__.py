"""The equations of motion in chosen coordinates."""
