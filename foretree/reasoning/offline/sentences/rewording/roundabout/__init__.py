"""Roundabout wording: things, states, results and errands that are told by something else."""
