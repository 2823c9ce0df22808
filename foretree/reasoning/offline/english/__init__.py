"""English as such: its everyday words and their forms."""
