"""What holds for all tests."""

from hypothesis import settings

# How long one example takes says more of what else the machine is doing than of the code.
settings.register_profile("foretree", deadline=None)
settings.load_profile("foretree")
