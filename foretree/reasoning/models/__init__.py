"""Language models: endpoints, record and replay, secrecy."""
