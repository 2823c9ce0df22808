"""Suites of ALFRED's trials: household tasks in rooms, and with things lying about, that others have drawn."""
