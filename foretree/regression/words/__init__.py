"""Suites of planning tasks that are run from what a person says, each failure attributed to one cause."""
