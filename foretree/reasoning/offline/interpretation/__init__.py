"""Interpretation: from the statements of an instruction to the goal, with the things that they mean."""
