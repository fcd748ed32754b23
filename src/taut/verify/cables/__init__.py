"""Cables and cable robots: published cases, feeding, rests, reduced models."""
