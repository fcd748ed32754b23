"""Robots at rest on cables that stretch or sag."""
