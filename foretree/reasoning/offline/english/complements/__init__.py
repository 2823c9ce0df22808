"""Complements of verbs, put plainly."""
