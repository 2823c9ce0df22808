"""Questions: about what is believed, what the agent can do, and what it does and has done."""
