"""Remarks: clauses that ask for nothing, told by their form."""
