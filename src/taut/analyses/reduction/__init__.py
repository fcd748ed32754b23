"""Reduced models."""
