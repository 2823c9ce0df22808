"""What the agent's nodes share, and what the agent does outside a tick."""
