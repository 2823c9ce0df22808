"""Sentences: their wording put plainly, and those that are no request."""
