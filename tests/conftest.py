"""What holds for all tests."""

import signal

from hypothesis import settings

# How long one example takes says more of what else the machine is doing than of the code.
settings.register_profile("foretree", deadline=None)
settings.load_profile("foretree")

# Whoever starts the tests in the background may have them ignore Ctrl-C, and all that they start. Tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)
