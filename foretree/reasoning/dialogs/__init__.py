"""Dialogs between people as instructions, and hints where things are."""
