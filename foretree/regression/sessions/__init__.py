"""Suites of sessions: scenarios carried out and judged."""
