"""Many plants of one kind that go on together."""

from taut.loop.fleet.fleet import Fleet

__all__ = ["Fleet"]
