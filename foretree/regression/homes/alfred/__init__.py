"""Suites of ALFRED's trials: household tasks in rooms that others have drawn."""
