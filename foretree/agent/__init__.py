"""Things that the agent's nodes share, and work that the agent does outside a tick."""
