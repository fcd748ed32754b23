"""Cranes: closed forms, structure, moves."""
