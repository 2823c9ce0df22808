"""Noun phrases, and the things that they stand for."""
