"""For all tests: hypothesis measures no time; a busy machine is no failure."""

from hypothesis import settings

settings.register_profile("schlitten", deadline=None)
settings.load_profile("schlitten")
