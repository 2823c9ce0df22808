"""Learning from what came of actions and of what people say, for this run and those after it."""
