"""The offline reasoner: commands read with a grammar, without any model."""
