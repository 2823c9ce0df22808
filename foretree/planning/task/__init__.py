"""Planning tasks: problems from beliefs, goals, and what of a scene a goal is about."""
