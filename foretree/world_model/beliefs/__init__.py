"""Beliefs: entities, facts, evidence."""
