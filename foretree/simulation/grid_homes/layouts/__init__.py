"""Layouts of homes, and what lies in them at the beginning."""
