"""Puts this folder on the path, for the tests in folders below: they share ``mango_run``."""
