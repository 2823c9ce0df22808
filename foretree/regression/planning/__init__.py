"""Suites of planning tasks in buildings."""
