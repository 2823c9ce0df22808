"""Robots that are bodies with a camera: moved by small steps, and told what to handle by pointing at a mask."""
