"""No test depends on the speed of the machine, so hypothesis sets no deadline."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
