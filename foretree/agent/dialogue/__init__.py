"""Talk with the person of a session."""
