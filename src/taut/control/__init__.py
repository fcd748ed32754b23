"""Sampled controllers: what they measure, when they are called, and how their commands act."""
