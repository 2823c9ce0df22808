"""Tasks over variables with finitely many values, made smaller before a search."""
