"""Suites of household tasks in grid homes."""
