"""What holds for all tests."""

import os
import signal

import pytest
from hypothesis import settings

# How long one example takes says more of what else the machine is doing than of the code.
settings.register_profile("foretree", deadline=None)
settings.load_profile("foretree")

# Whoever starts the tests in the background may have them ignore Ctrl-C, and all that they start. Tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory):
    """Keep what is kept from one process to the next apart from what the user has."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
