"""Workspaces: what belongs to them, their boundary and volume."""
