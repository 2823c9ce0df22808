"""The version of Foretree."""

__version__ = "0.1.0"
