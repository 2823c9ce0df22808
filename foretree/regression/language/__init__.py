"""A model server by rule, for regressions of what asks a language model."""
