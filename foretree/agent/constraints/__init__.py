"""Constraints in a session: what was done so far that counts for them, and which is in the way."""
