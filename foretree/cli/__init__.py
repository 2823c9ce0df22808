"""The command line. Thin: it reads options, calls the rooms, prints what they say.

Rooms are imported inside the commands that use them, so that ``foretree --help`` answers at once.
"""

from foretree.cli._application import app, main
from foretree.cli._exit_codes import EXIT_CODES

__all__ = ["EXIT_CODES", "app", "main"]
