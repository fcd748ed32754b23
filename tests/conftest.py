"""Settings of all tests."""

from hypothesis import settings

# the first call of a kernel may compile it
settings.register_profile("taut", deadline=None)
settings.load_profile("taut")
