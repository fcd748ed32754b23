"""Commands of cable robots."""
