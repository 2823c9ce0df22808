"""A run as people read it: state, wording, tables, the terminal."""
