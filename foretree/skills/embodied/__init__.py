"""Robots that are bodies with a camera: they move by small steps, and are told what to handle by its mask."""
