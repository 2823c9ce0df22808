"""Which asset nodes of a building an instruction needs."""
