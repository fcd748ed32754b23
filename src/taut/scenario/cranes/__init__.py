"""Cranes in a few words, and the bodies they are made of."""
