"""The grammar of commands: the wordings of skills as patterns, and one goal out of several commands."""
